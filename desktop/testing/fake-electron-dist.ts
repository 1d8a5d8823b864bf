/**
 * An Electron that is none, and tools that pack nothing small: enough for electron-builder to make packages
 * that can be looked into, where neither can be had. `node <this> <folder>` makes them and prints what to set.
 */
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** What stands before the fuses in every Electron binary; then the version, how many, and their states. */
const SENTINEL = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX';
const FUSES = '101010011';
const BINARY = Buffer.concat([
  Buffer.from('\x7fELF'),
  Buffer.alloc(4096),
  Buffer.from(SENTINEL),
  Buffer.from([1, FUSES.length]),
  Buffer.from(FUSES),
  Buffer.alloc(4096),
]);

/** Puts `a=b` of its arguments into a folder and makes a deb of it, as fpm does. */
const FPM = String.raw`#!/bin/bash
set -e
stage=$(mktemp -d)
name=ovation; version=0; architecture=all; package=
while [ $# -gt 0 ]; do
  case "$1" in
    --package) package="$2"; shift ;;
    --version) version="$2"; shift ;;
    --architecture) architecture="$2"; shift ;;
    --maintainer) maintainer="$2"; shift ;;
    --*=*) ;;
    -*) case "$1" in --force|--deb-no*|--verbose) ;; *) shift ;; esac ;;
    *=*)
      from="${'${1%%=*}'}"; to="$stage/${'${1#*=}'}"
      mkdir -p "$(dirname "$to")"
      if [ -d "$from" ]; then mkdir -p "$to"; cp -r "$from". "$to"; else cp "$from" "$to"; fi ;;
  esac
  shift
done
mkdir -p "$stage/DEBIAN"
printf 'Package: %s\nVersion: %s\nArchitecture: %s\nMaintainer: %s\nDescription: -\n' \
  "$name" "$version" "$architecture" "$maintainer" > "$stage/DEBIAN/control"
dpkg-deb -Znone --build "$stage" "$package" >/dev/null
rm -rf "$stage"
`;

/** Packs the folder behind the room for the runtime, as a tar. */
const MKSQUASHFS = `#!/bin/bash
set -e
head -c "$4" /dev/zero > "$2"
tar -C "$1" -cf - . >> "$2"
`;

/** An archive of Electron's without a file: four lengths, and what is in it. */
function emptyArchive(): Buffer {
  const files = Buffer.from('{"files":{}} ');
  const padded = Buffer.concat([files, Buffer.alloc((4 - (files.length % 4)) % 4)]);
  const lengths = [4, padded.length + 8, padded.length + 4, files.length];
  const head = Buffer.alloc(16);
  for (const [nth, length] of lengths.entries()) head.writeUInt32LE(length, nth * 4);
  return Buffer.concat([head, padded]);
}

interface FakeElectron {
  /** What electron-builder and this app's packaging look for. */
  env: { ELECTRON_DIST: string; CUSTOM_FPM_PATH: string; APPIMAGE_TOOLS_PATH: string };
}

export async function makeFakeElectron(folder: string, version: string): Promise<FakeElectron> {
  const [dist, tools] = [join(folder, 'dist'), join(folder, 'appimage')];
  const write = async (path: string, text: string | Buffer, mode = 0o644): Promise<void> => {
    await mkdir(join(path, '..'), { recursive: true });
    await writeFile(path, text);
    await chmod(path, mode);
  };
  await write(join(dist, 'electron'), BINARY, 0o755);
  await write(join(dist, 'chrome-sandbox'), 'no fuses here', 0o755);
  await write(join(dist, 'version'), version);
  for (const name of ['LICENSE', 'LICENSES.chromium.html', 'locales/en-US.pak']) {
    await write(join(dist, name), '');
  }
  await write(join(dist, 'resources/default_app.asar'), emptyArchive());
  for (const name of ['mksquashfs', 'desktop-file-validate']) {
    await write(join(tools, name), MKSQUASHFS, 0o755);
  }
  for (const arch of ['x64', 'arm64']) {
    await write(join(tools, 'runtimes', `runtime-${arch}`), Buffer.alloc(512));
    await write(join(tools, 'lib', arch, 'none'), '');
  }
  await write(join(folder, 'fpm'), FPM, 0o755);
  return {
    env: {
      ELECTRON_DIST: dist,
      CUSTOM_FPM_PATH: join(folder, 'fpm'),
      APPIMAGE_TOOLS_PATH: tools,
    },
  };
}

if (import.meta.main) {
  const { env } = await makeFakeElectron(process.argv[2] ?? '', '45.4.1');
  for (const [name, path] of Object.entries(env)) process.stdout.write(`export ${name}=${path}\n`);
}
