/** The browser's time zone: which day a moment belongs to for the person in front of it. */
export const zone = new Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC'
