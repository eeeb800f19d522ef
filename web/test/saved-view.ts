import type { SavedView } from '../src/features/tickets/list/saved-views/saved-view.ts'

/** A private list of what a word finds. */
export const plainSavedView: SavedView = {
  ...{ idView: 5, Name: 'Boats', Query: 'boat', Columns: [], Sort: [], Group: '', Layout: 'list' },
  ...{ Scope: 'private', Mine: 1, Default: 0 },
}
