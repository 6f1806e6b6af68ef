#!/usr/bin/env bash
# Builds the Rego compiler: opa/*.go to opa/opa.wasm.br and the SHA-256 of the raw bytes.
#
#   scripts/opa-build.sh            build, compress (about two minutes), record checksum and toolchain
#   scripts/opa-build.sh --check    build and compare with the committed bytes; exit 1 if they differ
#
# The same sources give the same bytes only with the same patch release of Go. With another release, or without Go, the check says
# loudly that it did not check and exits 0.
set -euo pipefail

root=$(cd "$(dirname "$0")/.." && pwd)
opa=$root/opa
check=no
case ${1:-} in
  '') ;;
  --check) check=yes ;;
  *) echo 'usage: scripts/opa-build.sh [--check]' >&2; exit 64 ;;
esac

not_checked() {
  echo "NOT CHECKED: $1" >&2
  exit 0
}

committed_hash() { cut -c 1-64 "$opa/opa.wasm.sha256"; }

# The checksum must match the committed compressed file. This is checked even without Go.
committed_raw_hash() {
  node -e '
    const { createHash } = require("node:crypto");
    const { readFileSync } = require("node:fs");
    const { brotliDecompressSync } = require("node:zlib");
    process.stdout.write(createHash("sha256").update(brotliDecompressSync(readFileSync(process.argv[1]))).digest("hex"));
  ' "$opa/opa.wasm.br"
}

if [ $check = yes ] && [ "$(committed_raw_hash)" != "$(committed_hash)" ]; then
  echo 'opa/opa.wasm.br is not what opa/opa.wasm.sha256 says' >&2
  exit 1
fi

if ! command -v go >/dev/null; then
  [ $check = yes ] && not_checked 'opa/opa.wasm.br against its sources: Go is not installed'
  echo 'Go is needed to build the compiler: https://go.dev/dl' >&2
  exit 1
fi

export GOTOOLCHAIN=local GOFLAGS=-mod=readonly
version=$(go env GOVERSION)
recorded=$(cat "$opa/toolchain.txt")
if [ $check = yes ] && [ "$version" != "$recorded" ]; then
  not_checked "opa/opa.wasm.br against its sources: it was built by $recorded, here is $version, whose bytes cannot be compared"
fi

if ! (cd "$opa" && go mod download); then
  [ $check = yes ] && not_checked 'opa/opa.wasm.br against its sources: the Go modules cannot be fetched'
  exit 1
fi

made=$(mktemp -d)
trap 'rm -rf "$made"' EXIT
# Checked for the target of the build, so that packages are compiled once for both. With GOGC=400 the Go tools use more memory and
# less time.
(cd "$opa" && export GOOS=wasip1 GOARCH=wasm GOGC=400 && go mod verify >/dev/null && go vet -trimpath -buildvcs=false ./... &&
  go build -buildmode=c-shared -trimpath -buildvcs=false -ldflags='-s -w -buildid=' -o "$made/opa.wasm" .)
hash=$(node -e '
  process.stdout.write(require("node:crypto").createHash("sha256").update(require("node:fs").readFileSync(process.argv[1])).digest("hex"));
' "$made/opa.wasm")

if [ $check = yes ]; then
  if [ "$hash" != "$(committed_hash)" ]; then
    echo "opa/ builds $hash, committed is $(committed_hash): run scripts/opa-build.sh" >&2
    exit 1
  fi
  echo "opa/opa.wasm.br is what opa/ builds ($version)"
  exit 0
fi

echo 'compressing …'
MODES_BROTLI_QUALITY=${MODES_BROTLI_QUALITY:-11} node -e '
  const { readFileSync, writeFileSync } = require("node:fs");
  const { brotliCompressSync, constants } = require("node:zlib");
  const [raw, made] = process.argv.slice(1);
  const bytes = readFileSync(raw);
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: Number(process.env.MODES_BROTLI_QUALITY),
    [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
  };
  writeFileSync(made, brotliCompressSync(bytes, { params }));
' "$made/opa.wasm" "$made/opa.wasm.br"
mv "$made/opa.wasm.br" "$opa/opa.wasm.br"
# New files each time: a copy that shares the old file by a hard link keeps its content.
rm -f "$opa/opa.wasm.sha256" "$opa/toolchain.txt"
echo "$hash" >"$opa/opa.wasm.sha256"
echo "$version" >"$opa/toolchain.txt"
ls -l "$opa/opa.wasm.br"
