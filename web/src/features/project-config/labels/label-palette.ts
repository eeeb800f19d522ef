/** The colors offered for labels, each with its name. */
export const labelPalette = [
  { color: '#d92d20', name: 'Red' },
  { color: '#e8590c', name: 'Orange' },
  { color: '#f5b800', name: 'Yellow' },
  { color: '#74b816', name: 'Lime' },
  { color: '#2b8a3e', name: 'Green' },
  { color: '#0c8599', name: 'Teal' },
  { color: '#4dabf7', name: 'Sky' },
  { color: '#1c5fd4', name: 'Blue' },
  { color: '#6d28d9', name: 'Violet' },
  { color: '#d6336c', name: 'Pink' },
  { color: '#8a5a2b', name: 'Brown' },
  { color: '#607d8b', name: 'Slate' },
] as const
