#!/bin/sh
# Runs one command of mcp-bindgen in a workflow: run.sh generate|check|sync
# Texts of servers go from file to file; no shell and no workflow command reads them.
set -eu

case "$1" in
generate) exec mcp-bindgen generate --check ;;
check) exec mcp-bindgen check ;;
sync) ;;
*)
    echo "expected generate, check or sync, got another command" >&2
    exit 2
    ;;
esac

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# 0: nothing changed, 1: something changed, 2: a server failed; the others are done.
code=0
mcp-bindgen sync || code=$?
if [ -z "$(git status --porcelain)" ]; then
    [ "$code" -lt 2 ] || exit "$code"
    exit 0
fi
mcp-bindgen diff --changelog >"$folder/changes.md" || true

base=$(git rev-parse --abbrev-ref HEAD)
git switch --quiet --force-create "$BRANCH"
git add --all
git -c user.name=mcp-bindgen -c user.email=mcp-bindgen@users.noreply.github.com \
    commit --quiet --message "Sync the packages of MCP servers"
git push --quiet --force origin "$BRANCH"
if gh pr view "$BRANCH" --json state --jq .state 2>/dev/null | grep -q OPEN; then
    gh pr edit "$BRANCH" --body-file "$folder/changes.md"
else
    gh pr create --base "$base" --head "$BRANCH" \
        --title "Sync the packages of MCP servers" --body-file "$folder/changes.md"
fi
[ "$code" -lt 2 ] || exit "$code"
