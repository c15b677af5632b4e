#!/usr/bin/env bash
# The one test command: checks everything and ends with one line,
# "N passed, N failed, N skipped". It exits non-zero when anything failed.
#
#   ./test.sh          everything
#   ./test.sh quick    without the race detector, the real pi and the other agents
#
# Needs bash, git, Go, and npm for the real pi: a pinned Node and pinned versions
# of pi are installed once into a cache outside the clone, $PIMENTO_TEST_CACHE
# (default ~/.cache/pimento-test). Without npm or gcc the parts that need them
# are skipped with the reason; with CI=true a pi that cannot be installed fails.
# Claude Code, Codex and opencode are installed beside it where that is possible.
set -u
cd "$(dirname "${BASH_SOURCE[0]}")" || exit 2

NODE=22.23.3
PI_FULL=1.5.2            # tested in full; e2e/sandbox_test.go names the same versions
PI_SMOKE="0.87.1 0.74.2" # one smoke test each
JITI=2.7.0               # what pi loads extensions with
QMD=2.8.3                # a search program that a user may choose; e2e/sandbox_test.go names it too
CLAUDE=2.1.330 CODEX=0.169.0 OPENCODE=1.18.33 # other agents; e2e/sandbox_test.go names them too
TYPESCRIPT=5.9.3
CACHE=${PIMENTO_TEST_CACHE:-$HOME/.cache/pimento-test}
export PIMENTO_TEST_CACHE=$CACHE

case $(uname -m) in aarch64 | arm64) ARCH=arm64 ;; *) ARCH=x64 ;; esac
NPM=(--no-save --ignore-scripts --no-audit --no-fund --loglevel=error)

WORK=$(mktemp -d) || exit 2
trap 'rm -rf "$WORK"' EXIT
passed=0 failed=0 skipped=0

note() { printf '%-7s%s\n' "$1" "$2"; }
skip() { note SKIP "$1: $2"; skipped=$((skipped + 1)); }
quick() { [ "${MODE:-}" = quick ]; }
MODE=${1:-}

# step NAME COMMAND... : one check. Quiet when it passes, its whole output when not.
step() {
	local name=$1 start=$SECONDS
	shift
	if "$@" >"$WORK/log" 2>&1; then
		note ok "$name ($((SECONDS - start))s)"
		passed=$((passed + 1))
	else
		note FAIL "$name"
		cat "$WORK/log"
		failed=$((failed + 1))
		return 1
	fi
}

# tests NAME GO-TEST-ARGUMENT... : counts every test function.
tests() {
	local name=$1 start=$SECONDS p f s
	shift
	go test -json "$@" 2>"$WORK/stderr" | "$WORK/testjson" "$WORK/counts"
	cat "$WORK/stderr"
	read -r p f s <"$WORK/counts" || { p=0 f=1 s=0; }
	passed=$((passed + p)) failed=$((failed + f)) skipped=$((skipped + s))
	if [ "$f" = 0 ] && [ "$p" -gt 0 ]; then
		note ok "$name: $p passed, $s skipped ($((SECONDS - start))s)"
	else
		[ "$f" = 0 ] && failed=$((failed + 1))
		note FAIL "$name: $p passed, $f failed, $s skipped ($((SECONDS - start))s)"
	fi
}

# cached NAME COMMAND : runs COMMAND in a new folder until it works, at most three
# times, and keeps the folder as $CACHE/NAME.
cached() {
	[ -e "$CACHE/$1" ] && return 0
	mkdir -p "$CACHE" || return 1
	local try dir
	for try in 1 2 3; do
		dir=$(mktemp -d "$CACHE/.new-XXXXXX") || return 1
		if (cd "$dir" && "$2"); then
			mv -T "$dir" "$CACHE/$1" 2>/dev/null || rm -rf "$dir" # somebody else was faster
			return 0
		fi
		rm -rf "$dir"
		sleep $((try * 2))
	done
	return 1
}

get_node() { npm install --prefix . "${NPM[@]}" "node-linux-$ARCH@$NODE"; }

# Installing the newest pi resolves packages that some registries lack. Its
# tarball holds all that is needed, except what it loads extensions with.
get_pi_full() {
	unpack "@earendil-works/pi-coding-agent@$PI_FULL" package &&
		npm install --prefix . "${NPM[@]}" "jiti@$JITI"
}
get_pi_smoke() { npm install --prefix . "${NPM[@]}" "@earendil-works/pi-coding-agent@$pi"; }

# Without what it needs for vectors, which is large.
get_qmd() { npm install --prefix . "${NPM[@]}" --omit=optional "@tobilu/qmd@$QMD"; }

# Of other agents only the programs for this machine, which need no node.
get_claude() { npm install --prefix . "${NPM[@]}" "@anthropic-ai/claude-code-linux-$ARCH@$CLAUDE"; }
get_codex() { npm install --prefix . "${NPM[@]}" "@openai/codex-linux-$ARCH@npm:@openai/codex@$CODEX-linux-$ARCH"; }
get_opencode() { npm install --prefix . "${NPM[@]}" "opencode-linux-$ARCH@$OPENCODE"; }

get_types() {
	local p
	npm install --prefix . "${NPM[@]}" "typescript@$TYPESCRIPT" typebox@1.3.27 @types/node@22.19.19 || return 1
	for p in "pi-coding-agent@$PI_FULL" "pi-agent-core@$PI_FULL" "pi-ai@$PI_FULL" pi-tui@0.87.1; do
		unpack "@earendil-works/$p" "node_modules/@earendil-works/${p%@*}" || return 1
	done
}

# unpack PACKAGE DIR
unpack() {
	local tgz
	mkdir -p "$2" && tgz=$(npm pack --silent --ignore-scripts "$1" | tail -1) &&
		tar -xzf "$tgz" --strip-components=1 -C "$2" && rm -f "$tgz"
}

check_format() {
	local found
	found=$(gofmt -l .) || return 1
	[ -z "$found" ] || { echo "gofmt -w these:"; echo "$found"; return 1; }
}

check_types() {
	mkdir "$WORK/types" && cp extensions/pi/*.ts scripts/tsconfig.json package.json "$WORK/types/" &&
		ln -s "$CACHE/types-$PI_FULL/node_modules" "$WORK/types/node_modules" &&
		(cd "$WORK/types" && "$NODE_BIN" node_modules/typescript/bin/tsc -p .)
}

# install NAME FUNCTION : a check that may be skipped outside CI.
install() {
	if ! command -v npm >/dev/null; then
		echo "npm is not installed" >"$WORK/why"
	elif cached "$1" "$2" >"$WORK/why" 2>&1; then
		note ok "$1 is there"
		passed=$((passed + 1))
		return 0
	fi
	if [ "${CI:-}" = true ]; then
		note FAIL "install $1"
		cat "$WORK/why"
		failed=$((failed + 1))
	else
		skip "install $1" "$(tail -1 "$WORK/why")"
	fi
	return 1
}

install_pi() {
	NODE_BIN=$CACHE/node-$NODE/node_modules/node-linux-$ARCH/bin/node
	install "node-$NODE" get_node || return
	install "pi-$PI_FULL" get_pi_full
	for pi in $PI_SMOKE; do install "pi-$pi" get_pi_smoke; done
	install "qmd-$QMD" get_qmd
	CI='' install "claude-$CLAUDE" get_claude
	CI='' install "codex-$CODEX" get_codex
	CI='' install "opencode-$OPENCODE" get_opencode
}

check_extension_types() {
	if [ ! -x "$NODE_BIN" ] || ! command -v npm >/dev/null; then
		skip types "no node"
	elif cached "types-$PI_FULL" get_types >"$WORK/why" 2>&1; then
		step "types of the pi extension" check_types
	else
		skip types "$(tail -1 "$WORK/why")"
	fi
}

check_race() {
	if ! command -v "${CC:-gcc}" >/dev/null; then
		skip race "no ${CC:-gcc}"
		return
	fi
	local paths=() p
	for p in journal vault index mirror rpc mcpserver session; do [ -d "internal/$p" ] && paths+=("./internal/$p/..."); done
	CGO_ENABLED=1 tests "race" -race "${paths[@]}"
}

go build -o "$WORK/testjson" scripts/testjson.go || exit 2

quick || install_pi
step gofmt check_format
step "go vet" go vet ./...
step staticcheck go tool staticcheck ./...
tests "go test" $(go list ./... | grep -v '/e2e$')
if ! quick; then
	check_race
	check_extension_types
	tests "end to end" -count=1 -timeout 30m ./e2e
fi

echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ]
