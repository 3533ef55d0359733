# Copied by mcp-bindgen. Do not edit.
"""The limits of the runtime, each with its reason: seconds, bytes, numbers."""

from __future__ import annotations

_MEGABYTE = 1024 * 1024

# Time, in seconds

TIMEOUT_MOST = 10**9
"""The longest timeout: 30 years, since some systems take no longer one."""
CONNECT = 10.0
"""To open a connection; a server that runs needs less than one second."""
GRACE = 2.0
"""To tell the server that a call is cancelled, after the call has ended."""
GRACE_LEAST = 0.25
"""The same after a call with a short timeout: this, and a quarter of the timeout."""
PROBE_SECONDS = 10.0
"""For the answer to server/discover; an old program over stdio may give none."""
DRAIN = 0.1
"""For the end of a stream that has given its answer; then its connection is free."""
KEEP_ALIVE = 4.0
"""How long an idle connection is used; at 5, many servers close it and lose a call."""
IDLE_SECONDS = 5.0
"""After this time, idle connections are closed; `IDLE_FEW` of them stay open."""
RETRY_DIGITS = 7
"""Digits of the milliseconds in a stream's `retry`; a longer number is ignored."""
PAUSE_MOST = 300.0
"""The longest pause where a call has no deadline, also for a person at a URL."""
RETRY_PAUSE_MOST = 8.0
"""The longest pause that we choose ourselves: 0.25, 0.5, 1 ... 8."""
RESUME_PAUSE = 1.0
"""Before a broken stream is resumed, where the server does not say `retry`."""
ROUND_PAUSE = 0.05
"""Before a call that the server asked to send again, doubled each time ..."""
ROUND_PAUSE_MOST = 0.25
"""... up to this (as the official SDK does)."""
LISTS_FOR_PERMIT = 3
"""How often the tools are listed before a call whose policy compares them."""
CLOSE_SECONDS = 5.0
"""For ending the session at the server when a client is closed."""
POLL = 0.05
"""How long a thread waits for another one before it looks for itself."""
LOST_TURN = 1.0
"""How long a thread that does not ask for its turn holds up those that came later."""
LOOP_POLL = 0.5
"""How long a task waits for a stream before it looks whether anybody reads it."""
LOOP_DRAIN = 5.0
"""How long an event loop that ends still reads for the calls of other loops."""
TASK_POLL = 0.01
"""How long a task waits for another call to open the session, until it looks again."""

# Connections

CONNECTIONS = 100
"""At most, for one client; under the 128 or 256 files that a process may open."""
IDLE_FEW = 8
"""Idle connections that are left open; more only serve a burst."""
COOKIES = 50
"""At most; a load balancer sets one or two. Browsers take 50 of a site (RFC 6265)."""
COOKIE = 4096
"""Characters of one cookie, as browsers take them (RFC 6265)."""

# Answers

JSON_DEPTH = 200
"""Arrays and objects inside each other; Python's parser ends at some 1,000."""
JSON_DIGITS = 4_300
"""Digits of one number; Python itself reads no longer ones."""
JSON_VALUES = 1_000_000
"""Values of one message: some 100 MB as Python objects."""
BODY = 32 * _MEGABYTE
"""Bytes of one answer, of one event of a stream, of one line over stdio."""
ERROR_BODY = _MEGABYTE
"""Bytes of an answer with an error status."""
ERROR_TEXT = 20_000
"""Bytes of it that are searched for a text to show."""
ERROR_PIECE = 300
"""Characters of it that an error shows."""
ENDPOINT = 4096
"""Characters of a URL that a redirect, or the stream of an old server, leads to."""
SIDE_BODY = 65_536
"""Bytes of the answer to a notification, which says nothing."""
EVENTS = 100_000
"""Events of one stream, up to an answer; progress for a day at one a second."""
RESUMES = 2
"""How often a broken stream is resumed without any event (as the official SDK does)."""
INPUT_ROUNDS = 10
"""How often the server may ask for more input (as the official SDK allows)."""
LIST_PAUSE = 1.0
"""Between two comparisons of a server whose lists change all the time."""
TASK_ID = 1_000
"""Characters of a task's id, which is a header field, too."""
TASK_QUESTIONS = 100
"""Questions of one task."""
TASK_PAUSE = 1.0
"""Between two looks at a task, where the server does not say how long ..."""
TASK_PAUSE_LEAST = 0.05
"""... at least ..."""
TASK_PAUSE_LAST = 0.001
"""... where the deadline is near ..."""
TASK_PAUSE_MOST = 60.0
"""... and at most."""
STREAM_PAUSE = 60.0
"""The longest pause before the stream of a session is opened again: 1, 2, 4 ... 60."""
STREAM_OPENS = 2.0
"""Seconds for the head of that stream, before the first call; some send none."""
SERVED_AT_ONCE = 8
"""Requests of the server that wait for people at once; others are refused."""
COMPLETED = 1_000
"""Finished elicitations whose ids are remembered."""
URLS_AT_ONCE = 5
"""URLs that one error may lead to; a person looks at each of them."""
URL_LENGTH = 8_000
"""Characters of such a URL; browsers take some more."""
UPDATES = 1_000
"""Changes of a resource that wait for the user's function; the oldest go first."""
URL_POLL = 0.1
"""How often a call looks whether the server has reported that all is done there."""
URL_PAUSE = 1.0
"""Before the call is sent again without such a report, doubled each time ..."""
URL_PAUSE_MOST = 8.0
"""... up to this, until the deadline of the call."""
SESSION_RENEWALS = 100
"""How often one call begins a new session, where each session served somebody."""
PAGES = 1_000
"""Pages of a list ..."""
LISTED = 100_000
"""... their entries together ..."""
CURSOR = 65_536
"""... and the characters of a cursor: a list must end, and fit in memory."""

# Results and errors, as they are shown

DECODED = 64 * _MEGABYTE
"""Bytes of one image, sound or file; more than `BODY` can hold in base64."""
REPR_TEXT = 80
"""Characters of one text in a repr ..."""
REPR_BLOCKS = 3
"""... and the content blocks of a result in it."""
REPR_IMAGE = 16 * _MEGABYTE
"""Bytes of one image in a notebook, which keeps it in its file."""
TABLE_ROWS = 50
"""Rows of a table in a notebook ..."""
TABLE_COLUMNS = 20
"""... its columns ..."""
TABLE_DEPTH = 2
"""... the tables around one ..."""
TABLE_TEXT = 500
"""... and the characters of a text in it."""
PROGRESS_TEXT = 60
"""Characters of a tool's name, and of a message, beside a progress bar ..."""
PROGRESS_LINE = 79
"""... and of both in the one line of a terminal without rich."""
TEXT = 2_000
"""Characters of a server's text in an error."""
FAULTS_IN_TEXT = 8
"""Faults of one value in the text of an error; `faults` has more."""

# Programs over stdio

STOP = 2.0
"""Seconds for a program to end after its stdin is closed, and again after SIGTERM."""
EXIT_STOP = 0.5
"""The same at the end of the interpreter, which all wait for."""
LAST_OUTPUT = 0.5
"""Seconds for what a program wrote before it ended, and for its end after it closed its
pipes: a longer wait would be for a grandchild that has them."""
STDIN_LOOK = 0.25
"""How often, while a call waits, the client checks that the program reads its stdin."""
TEXT_LINES = 20_000
"""Lines of text, not MCP, that a program may print between two messages ..."""
TEXT_RATE = 1_000.0
"""... and more in each second: a log, however long, and no endless loop."""
TEXT_SECONDS = 3.0
"""How long to wait for a first message once a program has printed text instead."""
PRINTED_LINES = 5
"""Lines of such text that errors show."""
LOOKED_AT = _MEGABYTE
"""Bytes of a malformed line that are searched for the request that it answers."""
CHUNK = 65_536
"""Bytes that are read from a pipe at once."""
STDERR = 10_000
"""The last bytes of stderr that are remembered ..."""
STDERR_LINES = 20
"""... and the last lines of it that errors show."""

# OAuth

OAUTH_SECONDS = 15.0
"""Seconds for one request to an authorization server."""
OAUTH_BODY = 262_144
"""Bytes of its answer; the largest real metadata has some 10,000."""
OAUTH_LOCK = 60.0
"""Seconds to wait for another process that renews the same tokens: four requests."""
OAUTH_LOGIN = 300.0
"""Seconds for a person to log in."""
OAUTH_STEP_UPS = 3
"""How often one request may ask for more scopes (MCP 2025-11-25, authorization)."""
OAUTH_EARLY = 30.0
"""Seconds before its end at which a token is renewed, at most."""
OAUTH_ASSERTION = 120
"""Seconds for which an assertion that a client signs is valid."""
OAUTH_FIELDS = 20
"""Parameters of the URL to which the browser comes back; a login sends three."""

# Policies and `verify()`

APPROVAL_SECONDS = 900.0
"""For the answer of a person; a policy's owner may choose another time."""
APPROVAL_ROUNDS = 10
"""How often approvers of one call may replace each other's arguments."""
AUDIT_BYTES = 64 * _MEGABYTE
"""Bytes of one file of an audit log, before the next file begins."""
AUDIT_KEY = 32
"""Bytes of the key of an audit log."""
SUSPICIONS = 20
"""Suspicious texts of one result that its `_meta` lists."""
POLICY_SCHEMAS = 1_000
"""Schemas that one argument of a rule may have: references lead to more and more."""
URI_DECODINGS = 4
"""How often a URI is percent-decoded; one that is still encoded then is denied."""
MASK_PIECE = 4096
"""Characters that a mask searches at once: the ends that a repetition may have."""
MASK_WAYS = 16 * MASK_PIECE
"""Ways to try a mask at one position: one endless repetition, and a few choices."""
VERIFY_STEPS = 5_000
"""Schemas that are compared for one tool; the rest is undecided."""
VERIFY_DEPTH = 50
"""Schemas inside each other that are compared."""
VERIFY_REFERENCES = 20
"""References that lead to references."""
VERIFY_PAIRS = 1_000
"""Pairs of a removed and a new member that may be one renamed member ..."""
VERIFY_NAMES = 200
"""... and the letters of the two names together."""
VERIFY_VALUE = 60
"""Characters of a value that a difference repeats."""

# Residual validation

CHECK_STEPS = 1_000_000
"""Work for one value: about a second. The largest honest answer needs a tenth."""
CHECK_LEVELS = 250
"""Schemas inside each other; Python's own stack ends at some 1,000 calls."""
FAULTS = 20
"""Faults of one value that an error lists."""
FAULTS_BUILT = 10_000
"""Above these, an error lists none but their number: pydantic would build them all."""
CHECK_FAULTS = 21
"""Faults of one value that are looked for: 20 to show, and one that says "more"."""
PATTERN_STATES = 1024
"""States of one pattern. Above these, the linear engine leaves its fast automaton:
measured, 0.3 µs for a character becomes 30."""
PATTERN_CHARACTERS = 4096
"""Characters of one pattern; the longest real one has 1,500."""
PATTERN_GROUPS = 64
"""Groups inside each other."""
PATTERN_STEP_COST = 4
"""Steps that one step of the backtracking matcher counts for, by the time it takes."""
LARGE_ANSWER = 10_000
"""JSON values from which on an answer is first read for one fault alone: pydantic keeps
each fault in memory, and a short text can have millions."""
ELEMENTS_A_STEP = 4
"""Elements, members or characters that one step looks at, where nothing is checked."""
NAMES_A_STEP = 16
"""Names that one step compares: a look into a set."""
CHARACTERS_A_STEP = 16
"""Characters that one step compares with the text of a group."""
MULTIPLE_COST = 16
"""Steps of `multipleOf`, which divides fractions of any length."""
PATTERNS = 32
"""Patterns that stay compiled, of each kind; a schema has few."""
PATTERN_SETS = 256
"""Sets of characters that stay compiled; a long pattern has many, most alike."""
PATTERN_PAIRS = 10_000
"""Pairs of states of two patterns that are compared; one has a tenth as many states."""
PATTERN_PROPERTY = 40
"""States of the automaton of `\\p{L}`, about."""
FAULT_TEXT = 120
"""Characters of a name, a pattern or a list of values that a fault shows ..."""
FAULT_CHOICES = 8
"""... and values of that list."""
NAME_TEXT = 200
"""Characters of a foreign name that a message shows."""

# Tools for models

NULL_DEPTH = 32
"""Levels of arguments in which nulls that mean "absent" are taken away."""
NULL_STEPS = 100_000
"""Members looked at for that: references may lead to the same ones again and again."""
TOOL_NAME = 64
"""Characters of a tool's name that every model's API takes."""
MODEL_TEXT = 1024
"""Characters of a tool's description that every server of OpenAI's API takes."""
PACKAGES = 64
"""Packages whose tools stay in memory: a program has a few ..."""
RECORDINGS = 8
"""... and their recordings, which are large and seldom read."""
