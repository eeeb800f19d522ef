/** The class names that hold, as one attribute. */
export function classNames(...names: (string | false | undefined)[]) {
  return names.filter(Boolean).join(' ')
}
