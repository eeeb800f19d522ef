/** Why nobody may change an archived project, whatever their permissions; the server says the same. */
export const archivedReason = 'This project is archived and takes no changes'
