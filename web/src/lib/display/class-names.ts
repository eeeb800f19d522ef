/** Joins the class names that are not false or undefined. */
export function classNames(...names: (string | false | undefined)[]) {
  return names.filter(Boolean).join(' ')
}
