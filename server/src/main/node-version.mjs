// Plain JavaScript on purpose: an older Node can't read the TypeScript that comes after it.
// 24.18: below it are holes that have been mended since.
const LEAST = { major: 24, minor: 18 };
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < LEAST.major || (major === LEAST.major && minor < LEAST.minor)) {
  const least = `${LEAST.major}.${LEAST.minor}`;
  process.stderr.write(
    `This needs Node ${least} or newer and runs on ${process.versions.node}: start it with npm, which brings one along, or install Node ${least}.\n`,
  );
  process.exit(1);
}
