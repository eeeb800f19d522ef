let found: string | undefined

/**
 * The browser's time zone: which day a moment belongs to for the person in front of it. Asked for only where it is needed, because the first
 * use of `Intl` takes 20 to 60 ms.
 */
export function timeZone() {
  found ??= new Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC'
  return found
}
