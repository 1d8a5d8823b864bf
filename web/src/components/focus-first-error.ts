/**
 * Moves the focus to the first field of a form that has an error, in the order they stand; false
 * when no field has one.
 */
export function focusFirstError(form: HTMLFormElement, errors: Record<string, unknown>): boolean {
  const fields = Array.from(form.elements).filter((element) => element instanceof HTMLElement);
  const first = fields.find((field) => {
    const name = field.getAttribute('name');
    return name !== null && Boolean(errors[name]);
  });
  first?.focus();
  return first !== undefined;
}
