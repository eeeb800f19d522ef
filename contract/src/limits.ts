/** The product's limits. Lengths of texts are in characters after trimming, unless an entry says otherwise. */
export const limits = {
  ticketTitle: 500,
  /** Titles and names of projects, organizations, states, templates, fields and roles. */
  name: 200,
  shortCode: 16,
  login: 100,
  email: 254,
  /** Full name and greeting name. */
  personName: 200,
  /** In bytes of UTF-8. */
  comment: 64 * 1024,
  /** In bytes of UTF-8. */
  fieldValue: 256 * 1024,
  databaseKey: 64,
  password: 1024,
  /** Ancestors of a ticket. */
  depth: 20,
  /** Bytes of a request's body, unless the call's schema allows more. */
  body: 16 * 1024,
  /** Arrays and objects within each other in a request's body. */
  jsonDepth: 8,
  /** Bytes of one ticket's save: two of the largest values with every character escaped, sixteen as browsers write them. */
  ticketData: 4 * 1024 * 1024,
  /** Bytes of all values of a ticket. */
  ticketValues: 2 * 1024 * 1024,
  /** Entries of an order, of a project membership, of a workflow. */
  list: 10_000,
  /** Bytes of the comments in one answer. */
  commentsAtOnce: 16 * 1024 * 1024,
  /** Page of `query-tickets`, of comments and of the trash. */
  pageSize: 100,
  pageSizeMax: 500,
  sortColumns: 6,
  /** Columns of a list besides those that it always has. */
  listColumns: 20,
  /** Characters of a field's value in a list. */
  listedValue: 200,
  optionsPerField: 1000,
  /** Bytes of the options of all fields of a project: each of its tickets is answered with those that it shows. */
  projectOptions: 1024 * 1024,
  /** States, fields, templates, roles: of each kind. */
  perProject: 500,
  /** Of a project, and of an organization for all its projects. */
  labels: 500,
  labelsPerTicket: 20,
  /** People with a role; a person with two roles counts twice. */
  assigneesPerTicket: 500,
  /** Tickets that a template creates below a new one. */
  childrenOfTemplate: 50,
  /** Bytes of all titles and values that a template gives to a new ticket and those below it, plus 64 for each value and label. */
  templateBytes: 2 * 1024 * 1024,
  /** The most found in practice is 323, in a project of 22,000 issues. */
  linksPerTicket: 500,
  /** Links in one answer of `get-links-between`. */
  linksBetween: 2000,
  movesAtOnce: 100,
  /** Tickets of one bulk change. */
  bulkTickets: 10_000,
  /** How many of them are changed in one transaction. */
  bulkStep: 20,
  /** How many of them are changed per second at most: any faster, and other people's saves would take much longer meanwhile. */
  bulkPerSecond: 1100,
  /** Bytes that one bulk change writes, counted for each ticket, and of the values that it replaces. */
  bulkBytes: 16 * 1024 * 1024,
  /** Rows of a preview in one answer. */
  previewRows: 100,
  /** Tickets that are named for one reason why they stay as they are; the others are only counted. */
  namedTickets: 50,
  /** Change sets in one answer of `get-change-set-list`. */
  changeSets: 200,
  /** How long a bulk change can be reverted. */
  revertDays: 90,
  /** Names of each kind in one call of `get-text-names`. */
  namesAtOnce: 200,
  /** Characters, terms and levels of parentheses of a query. */
  queryLength: 2000,
  queryTerms: 50,
  queryDepth: 20,
  /** Private views of one person in a project. */
  views: 200,
  /** Shared views of a project. */
  sharedViews: 200,
  /** Shared views of one person without *Manage project*, so that a few people cannot use up the project's limit. */
  sharedViewsOfPerson: 20,
  /** The same for saved searches: private ones of one person in an organization, shared ones, and shared ones of one person without *Organisation Admin*. */
  searches: 200,
  sharedSearches: 200,
  sharedSearchesOfPerson: 20,
  /** Calendar feeds of one person in a project. */
  calendarFeeds: 20,
  /** Tickets of a calendar feed. */
  feedTickets: 2000,
  /** The days of a calendar feed: from so many years ago to so many years ahead. */
  feedYearsBack: 1,
  feedYearsAhead: 2,
  statisticDays: 1100,
  /** Tickets of a column in one answer. */
  boardColumn: 200,
  /** Open tickets of a tree, because its address and a saved view keep them. */
  openTickets: 500,
  /** The highest limit that a column of the board can have. */
  columnLimit: 99_999,
  membersAtOnce: 200,
  /** Members of a project up to which a ticket's USER field names all as its choices. */
  peopleInField: 100,
  /** Choices that all USER fields of a project name together: with more than ten of them, a field names all members of a smaller project only. */
  peopleInFields: 1000,
  attachmentName: 200,
  attachmentsPerTicket: 100,
  /** How long a deleted attachment can be restored. Its file counts against the quota until then. */
  deletedFileDays: 30,
} as const

/** Names under this length are shown whole. */
export const attachmentNameShown = { whole: 15, head: 10, tail: 4 } as const

/** An address as HTML's `type=email` accepts it. */
export const emailPattern =
  "^[a-zA-Z0-9.!#$%&'*+\\/=?^_`{|}~-]+@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*$"
