"""Names that servers may not take: tables of our own, so that no machine differs."""

from __future__ import annotations

from mcp_bindgen.python import allowlist as allowed

__all__ = ["CLASSES", "FIELDS", "FILES", "MODULES", "PARAMETERS", "TOOLS"]

# Keywords of Python 3.11 to 3.15, but for those that may be names as well.
_KEYWORDS = frozenset("""
    False None True __debug__ and as assert async await break class continue def del
    elif else except finally for from global if import in is lambda nonlocal not or
    pass raise return try while with yield
    """.split())

# Builtins that the annotations of fields use, so that no field of a class may hide
# them: always, since a name must not change when another property is added.
_ANNOTATIONS = frozenset("dict list str tuple".split())

# The names of methods for their object and their class.
_METHODS = frozenset("cls self".split())

# Keywords and builtins of Python 3.11 to 3.15. Modules and clients have functions of
# the tools' names, and use builtins beside them.
_PYTHON = _KEYWORDS | frozenset("""
    False None True __build_class__ __debug__ __doc__ __import__ __loader__ __name__
    __package__ __spec__ abs aiter all and anext any as ascii assert async await bin
    bool break breakpoint bytearray bytes callable case chr class classmethod cls
    compile complex continue copyright credits def del delattr dict dir divmod elif
    else enumerate eval except exec exit filter finally float for format from
    frozenset getattr global globals hasattr hash help hex id if import in input int
    is isinstance issubclass iter lambda lazy len license list locals map match max
    memoryview min missing mro next nonlocal not object oct open or ord pass pow
    print property quit raise range repr return reveal_locals reveal_type reversed
    round self set setattr slice sorted staticmethod str sum super try tuple type
    vars while with yield zip
    """.split())

# Builtins that are classes.
_EXCEPTIONS = frozenset("""
    ArithmeticError AssertionError AttributeError BaseException BaseExceptionGroup
    BlockingIOError BrokenPipeError BufferError BytesWarning ChildProcessError
    ConnectionAbortedError ConnectionError ConnectionRefusedError
    ConnectionResetError DeprecationWarning EOFError Ellipsis EncodingWarning
    EnvironmentError Exception ExceptionGroup False FileExistsError
    FileNotFoundError FloatingPointError FutureWarning GeneratorExit IOError
    ImportError ImportWarning IndentationError IndexError InterruptedError
    IsADirectoryError KeyError KeyboardInterrupt LookupError MemoryError
    ModuleNotFoundError NameError None NotADirectoryError NotImplemented
    NotImplementedError OSError OverflowError PendingDeprecationWarning
    PermissionError ProcessLookupError PythonFinalizationError RecursionError
    ReferenceError ResourceWarning RuntimeError RuntimeWarning StopAsyncIteration
    StopIteration SyntaxError SyntaxWarning SystemError SystemExit TabError
    TimeoutError True TypeError UnboundLocalError UnicodeDecodeError
    UnicodeEncodeError UnicodeError UnicodeTranslateError UnicodeWarning UserWarning
    ValueError Warning ZeroDivisionError
    """.split())

# Attributes of pydantic's BaseModel.
_MODEL = frozenset("""
    construct copy dict from_orm json model_computed_fields model_config
    model_construct model_copy model_dump model_dump_json model_extra model_fields
    model_fields_set model_json_schema model_parametrized_name model_post_init
    model_rebuild model_validate model_validate_json model_validate_strings
    parse_file parse_obj parse_raw schema schema_json update_forward_refs validate
    """.split())

# Files that Windows, pytest or setuptools would not take as modules.
_FILES = frozenset("""
    aux conftest conin conout nul con prn setup com0 com1 com2 com3 com4 com5 com6
    com7 com8 com9 lpt0 lpt1 lpt2 lpt3 lpt4 lpt5 lpt6 lpt7 lpt8 lpt9
    """.split())

# Modules of the standard library that only some of Python 3.11 to 3.15 have.
_STANDARD = frozenset("""
    aifc annotationlib asynchat asyncore audioop cgi cgitb chunk compression crypt
    distutils imghdr imp lib2to3 mailcap msilib nis nntplib ossaudiodev pipes profiling
    smtpd sndhdr spwd sunau telnetlib uu xdrlib
    """.split())

# The imports of packages, of their frameworks and of the generator, with all that these
# need.
_INSTALLED = frozenset("""
    agents aiohttp annotated_types anthropic anyio argcomplete attr attrs black blackd
    blib2to3 brotli cachetools certifi cffi charset_normalizer click colorama
    cryptography datamodel_code_generator dateutil deprecated distro docstring_parser
    email_validator exceptiongroup genai_prices genson google griffe h11 h2 hpack
    httpcore httpcore2 httpx httpx2 httpx_sse hyperframe idna importlib_metadata inflect
    isort jaraco jinja2 jiter jsonpatch jsonpatch_cli jsonpointer jsonschema
    jsonschema_specifications jwt langchain langchain_core langchain_protocol langgraph
    langgraph_sdk langsmith logfire_api markupsafe mcp mcp_bindgen mcp_types
    more_itertools multipart mypy_extensions numpy openai opentelemetry orjson ormsgpack
    outcome packaging pathspec pip platformdirs pyasn1 pyasn1_modules pycparser pydantic
    pydantic_ai pydantic_core pydantic_graph pydantic_settings pytest python_multipart
    pytokens pytz referencing requests requests_toolbelt rpds rsa setuptools six sniffio
    socksio sortedcontainers sse_starlette starlette tenacity tqdm trio truststore
    tomlkit typeguard typing_extensions typing_inspection tzdata urllib3 uuid_utils
    uvicorn uvloop websockets wheel wrapt xxhash yaml zipp zstandard
    """.split())

# Attributes of clients, today's and those a later version may want.
_CLIENT = frozenset("""
    aclose auth authenticate before_call cache call call_many call_tool cancel
    capabilities clear client close closed complete config configure connect connected
    copy disconnect discover from_config from_env get_prompt headers http initialize
    instructions is_closed limits list_prompts list_resource_templates list_resources
    list_server_tasks list_tools listen name open options ping protocol_version
    read_resource reconnect request reset resume_task send server server_info session
    sse start stdio stop stream submit subscribe timeout tool_info transport try_tool
    unsubscribe url verify version with_options
    """.split())

# More of clients of servers that have resources or prompts.
_FULL_CLIENT = frozenset({"follow", "read_template"})

# Modules and members of a generated package.
_PACKAGE = frozenset("""
    agents anthropic annotations approval approve_destructive arguments binding client
    destructive gemini inferred info read_only toolset langchain lazy manifest mcp
    langchain_tools make_tool models names openai prompts pydantic_ai raw recording
    own resources result results runtime schemas structured tests tool toolbox tools
    types typing
    """.split())

# The imports of a tool's module.
_MODULE = frozenset("""
    Annotated Any ClassVar Literal Mapping TypeAlias TypeAliasType TypeAdapter
    TYPE_CHECKING Field ConfigDict BaseModel Model Binding Checked Schema MISSING UNIQUE
    OneOf String Integer Number Boolean ToolResult BaseClient AsyncBaseClient Client
    AsyncClient Tool ToolInfo Arguments Result McpError StructuredTool DateLike
    DateTimeLike DecimalLike PathTextLike TimeLike UuidLike
    """.split())

# Names that the self-check lets nobody bind anew.
_CHECKED = frozenset(allowed.CALLS) | allowed.BASES | allowed.FORMS

FILES = _FILES | allowed.FILES_RUN_BY_OTHERS
MODULES = _STANDARD | _INSTALLED
TOOLS = _PYTHON | FILES | _CLIENT | _FULL_CLIENT | _PACKAGE | _CHECKED | {"ToolResult"}
FIELDS = _KEYWORDS | _ANNOTATIONS | _METHODS | _MODEL
PARAMETERS = FIELDS | {"client"}
CLASSES = _EXCEPTIONS | _MODULE | _CHECKED
