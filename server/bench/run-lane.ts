import { fork } from 'node:child_process';

/** Much is made and dropped at once: with more room for that it is looked through less often. */
const ROOMY = ['--max-semi-space-size=64'];

/**
 * Runs a file as a process of its own, which tells how far it is and ends with its report.
 * @throws when it ends before that; `name` says which one
 */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- what a process sends has no type but the one it is read as
export function runLane<Progress extends { kind: string }, Report>(
  name: string,
  { file, args }: { file: string; args: readonly unknown[] },
  onProgress: (progress: Progress) => void,
): Promise<Report> {
  const child = fork(file, args.map(String), {
    execArgv: [...process.execArgv, ...ROOMY],
  });
  return new Promise((resolve, reject) => {
    child.on('message', (message: Progress | { kind: 'report'; report: Report }) => {
      if ('report' in message) resolve(message.report);
      else onProgress(message);
    });
    // Behind the last message, as the child's exit isn't always.
    child.once('disconnect', () => reject(new Error(`${name} ended before its report`)));
  });
}
