import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { controlSandbox } from '#test/delivery/control-sandbox.ts';
import { bundled } from '#test/processes/bundled.ts';

/** The sandbox as a process of its own, as in production: its work isn't the worker's. */
export class SandboxProcess {
  readonly url: string;
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess, port: number) {
    this.#child = child;
    this.url = `http://127.0.0.1:${port}`;
  }

  /** On a free port, with an empty state in memory. */
  static async start(): Promise<SandboxProcess> {
    const child = spawn(process.execPath, [await bundled('server/sandbox/main.ts')], {
      env: {
        PATH: process.env['PATH'] ?? '',
        NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
        SANDBOX_PORT: '0',
        SANDBOX_SMTP_PORT: '0',
        SANDBOX_STATE: ':memory:',
      },
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    });
    if (!child.stdout) throw new Error('the sandbox has no output');
    for await (const line of createInterface({ input: child.stdout })) {
      const { port } = JSON.parse(line) as { port: number };
      return new SandboxProcess(child, port);
    }
    throw new Error('the sandbox ended before it was ready');
  }

  control(method: string, path: string, body?: object): Promise<unknown> {
    return controlSandbox(this.url, method, path, body);
  }

  async stop(): Promise<void> {
    const ended = once(this.#child, 'exit');
    this.#child.kill('SIGTERM');
    await ended;
  }
}
