/** Whether the keyboard has Apple's Cmd key. */
export const isMac = /^Mac|^iP/.test(navigator.platform)
