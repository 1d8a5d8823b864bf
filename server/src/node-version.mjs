// Plain JavaScript on purpose: an older Node can't read the TypeScript that comes after it.
const [major] = process.versions.node.split('.').map(Number);
if (major < 24) {
  process.stderr.write(
    `This needs Node 24 and runs on ${process.versions.node}: start it with npm, which brings Node 24 along, or install Node 24.\n`,
  );
  process.exit(1);
}
