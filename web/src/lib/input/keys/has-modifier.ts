interface Modifiers {
  altKey: boolean
  ctrlKey: boolean
  metaKey: boolean
  shiftKey: boolean
}

/** Whether a key such as Ctrl is held down during the click or key press. */
export function hasModifier({ altKey, ctrlKey, metaKey, shiftKey }: Modifiers) {
  return altKey || ctrlKey || metaKey || shiftKey
}
