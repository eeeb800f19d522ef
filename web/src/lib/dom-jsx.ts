// What `react/jsx-runtime` is to the application, for what is drawn before it is here (vite.config.ts): plain elements, made at once and never changed.

type Child = Node | string | number | boolean | null | undefined | readonly Child[]
type Props = Record<string, unknown> & { children?: Child }
type Component = (props: Props) => Child

const attributeNames: Record<string, string> = { className: 'class', tabIndex: 'tabindex', colSpan: 'colspan' }
const drawn = new Set(['svg', 'path'])

export const Fragment: Component = ({ children }) => children

export function jsx(type: string | Component, { children, style, ...attributes }: Props): Child {
  if (typeof type === 'function') return type({ children, ...(style !== undefined && { style }), ...attributes })
  const element = drawn.has(type) ? document.createElementNS('http://www.w3.org/2000/svg', type) : document.createElement(type)
  for (const [name, value] of Object.entries(attributes)) {
    const isWord = name.startsWith('aria-') || name.startsWith('data-')
    if (value === undefined || value === null || (value === false && !isWord)) continue
    element.setAttribute(attributeNames[name] ?? name, value === true && !isWord ? '' : String(value))
  }
  // As the policy for content has it: not as an attribute.
  for (const [name, value] of Object.entries((style ?? {}) as Record<string, string | number>))
    element.style.setProperty(name, String(value))
  append(element, children)
  return element
}
export function jsxs(type: string | Component, props: Props) {
  return jsx(type, props)
}

function append(element: Element, child: Child) {
  if (Array.isArray(child)) for (const each of child) append(element, each)
  else if (child !== undefined && child !== null && typeof child !== 'boolean') element.append(child as Node | string)
}
