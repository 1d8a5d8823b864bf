import { makeUpdateKey, publicKeyOf, readUpdateKey } from './sign-updates.ts';

/** `npm run desktop:key <file>`: the key that updates are signed with. */
const [path] = process.argv.slice(2);
if (path === undefined) {
  process.stderr.write('Name the file that is to hold the key: npm run desktop:key <file>\n');
  process.exitCode = 1;
} else {
  makeUpdateKey(path);
  const publicKey = publicKeyOf(readUpdateKey(path));
  process.stdout.write(`${path} holds the key of your updates. Its public half: ${publicKey}\n`);
}
