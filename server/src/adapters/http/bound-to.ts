import type { Agent, Dispatcher } from 'undici';

/** An agent serves many origins and is told which with every call. */
export function boundTo(agent: Agent, origin: string): Pick<Dispatcher, 'dispatch'> {
  return { dispatch: (options, handler) => agent.dispatch({ ...options, origin }, handler) };
}
