/** The chip of this button is about to go: the focus moves to the chip beside, or to the search they narrow. */
export function focusBeside(button: HTMLElement): void {
  const chip = button.closest('li');
  const beside = chip?.nextElementSibling ?? chip?.previousElementSibling;
  const search = button.closest('[data-desk], [role="search"]')?.querySelector('input');
  (beside?.querySelector('button') ?? search)?.focus();
}
