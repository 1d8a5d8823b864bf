import { PRODUCT_NAME } from '#shared/domain/product.ts';
import type { UpdateState } from '#shared/platform.ts';

/** What a dialog says and offers; the last button leaves everything as it is. */
export interface Message {
  message: string;
  detail: string;
  buttons: readonly string[];
}

/** How a look for updates ended, in words. `version`: of the app that runs. */
export function updateMessage(state: UpdateState, version: string): Message {
  switch (state.kind) {
    case 'ready':
      return {
        message: `${PRODUCT_NAME}${state.version === undefined ? '' : ` ${state.version}`} is ready`,
        detail: 'It starts anew with it. Unsent changes stay.',
        buttons: ['Update now', 'Later'],
      };
    case 'downloading':
      return told(
        `${PRODUCT_NAME} ${state.version} is being downloaded`,
        'It is offered as soon as it is here.',
      );
    case 'none':
      return told(`${PRODUCT_NAME} is up to date`, `Version ${version} is the newest.`);
    case 'not_configured':
      return told(
        'This app doesn’t check for updates',
        `Version ${version} was made without an address for them. Newer ones come from whoever gave you this one.`,
      );
    case 'failed':
      return told(
        'The update could not be fetched',
        'Please check the network and try again later.',
      );
  }
}

/** The same, for somebody whose version the server no longer takes. */
export function tooOldMessage(state: UpdateState, version: string): Message {
  const { detail } = updateMessage(state, version);
  const because = state.kind === 'none' ? 'No newer one was found yet.' : detail;
  return told(
    `${PRODUCT_NAME} must be updated`,
    `The server no longer takes version ${version}. ${because} What waits to be sent stays on this computer.`,
  );
}

function told(message: string, detail: string): Message {
  return { message, detail, buttons: ['OK'] };
}
