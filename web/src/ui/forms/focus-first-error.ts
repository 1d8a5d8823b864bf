/**
 * Moves the focus to the first field of a form that has an error, in the order they stand; false
 * when no field has one. What stands around a field of somebody else's has a `data-name`.
 */
export function focusFirstError(form: HTMLFormElement, errors: Record<string, unknown>): boolean {
  const fields = Array.from(form.querySelectorAll<HTMLElement>('[name], [data-name]'));
  const first = fields.find((field) => {
    const name = field.getAttribute('name') ?? field.dataset['name'] ?? '';
    return Boolean(errors[name]);
  });
  first?.focus();
  return first !== undefined;
}
