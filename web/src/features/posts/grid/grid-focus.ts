/** The place of the keyboard in a grid; it outlives the cards, which a new layout makes anew. */
export interface GridFocus {
  /** The post whose card is in the tab order; undefined: the first one. */
  activeId(): string | undefined;
  activate(id: string): void;
  /** The active card is to get the focus as soon as it is there. */
  want(): void;
  isWanted(): boolean;
  /** The focus has been given. */
  settle(): void;
}

export function createGridFocus(initialId: string | undefined): GridFocus {
  let activeId = initialId;
  let isWanted = false;
  return {
    activeId: () => activeId,
    activate: (id) => {
      activeId = id;
    },
    want: () => {
      isWanted = true;
    },
    isWanted: () => isWanted,
    settle: () => {
      isWanted = false;
    },
  };
}
