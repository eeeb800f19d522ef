import { randomUUID } from 'node:crypto'
import { makeTicket, makeUser } from '../fixtures/factories.ts'
import type { TestServer } from '../servers/server.ts'
import {
  deletedView,
  freshChangeSet,
  freshComment,
  freshField,
  freshLabel,
  freshLink,
  freshMember,
  freshPreview,
  freshRole,
  freshState,
  freshTemplate,
  freshView,
  gone,
  inProject,
  invited,
  name,
  onTicket,
  trashed,
  usedId,
} from './fresh.ts'
import type { Place } from './world.ts'

// A valid input for each call, made anew for each attempt: what a call uses up is created just before.

type Input = Record<string, unknown>
/** `asker` is the user who sends it: some things belong to one person. */
type Make = (place: Place, server: TestServer, asker?: number) => Input | Promise<Input>

export const inputs: Record<string, Make> = {
  authenticate: () => ({ user: randomUUID(), pass: 'nothing' }),
  logout: () => ({}),
  connstate: () => ({}),
  'simulate-timeout': () => ({}),
  'client-config': () => ({}),
  'get-session-list': () => ({}),
  'end-sessions': () => ({ ids: [randomUUID()] }),
  'get-project-list': () => ({ GetAll: 1 }),
  'get-organization-list': () => ({}),
  'get-user-list': () => ({}),
  'create-organization': () => ({ Title: name('Organization') }),
  'create-project': () => ({ Title: name('Project'), ShortCode: name('P').replaceAll(/[^A-Za-z0-9]/g, '') }),
  'create-user': ({ project }) => ({
    LoginName: randomUUID(),
    Email: 'new@example.com',
    SendWelcome: 0,
    ProjectAssign: [project.projectId],
  }),
  'get-user-edit-data': ({ userId }) => ({ idUser: userId }),
  'set-user-data-admin': ({ userId, project }) => ({ idUser: userId, RealName: name('Real'), ProjectMembership: [project.projectId] }),
  'set-user-active': async ({ organizationId }, { db }) => ({ idUser: await makeUser(db, organizationId), Active: 0 }),
  'send-welcome-mail': async ({ organizationId }, { db }) => ({ idUser: await makeUser(db, organizationId) }),
  'change-password': () => ({ pass: 'not this one', newpass: 'a long enough passphrase' }),
  'confirm-email': () => ({ Token: '1-1.unsigned' }),
  'get-user-data': () => ({}),
  'set-user-data': () => ({ FullName: name('Full') }),
  'get-project-property': place => ({ ...inProject(place), Properties: ['pcode'] }),
  'get-ticket-list': place => ({ ...inProject(place), idParent: place.ticketId }),
  'query-tickets': place => ({ ...inProject(place), idParent: place.ticketId }),
  'get-ticket-data': onTicket,
  'get-ticket-by-key': ({ ticketId }) => ({ Key: `NONE-${ticketId}` }),
  'set-ticket-data': place => ({ ...onTicket(place), Title: name('Title') }),
  'create-new-ticket': place => ({
    ...inProject(place),
    idTemplate: place.project.templates.bug,
    idParent: place.ticketId,
    Title: name('Ticket'),
  }),
  'set-ticket-notification': place => ({ ...onTicket(place), Notify: 1 }),
  'set-ticket-comment': place => ({ ...onTicket(place), Comment: name('Comment') }),
  'get-ticket-comments': onTicket,
  'get-comment-history': place => ({ ...onTicket(place), idComment: place.commentId }),
  'get-ticket-rolelist': place => ({ ...onTicket(place), Assignees: [{ idUser: place.userId, idRole: place.project.roles.assignee }] }),
  'get-project-role-list': onTicket,
  'get-project-user-list': onTicket,
  'get-project-userrole-list': onTicket,
  'attachment-download': ({ attachmentId }) => ({ id: attachmentId }),
  'move-ticket': async (place, { db }) => ({
    idTicket: await makeTicket(db, place.organizationId, place.project),
    idParent: place.ticketId,
  }),
  'move-tickets': async (place, { db }) => ({
    ...inProject(place),
    Moves: [{ idTicket: await makeTicket(db, place.organizationId, place.project), idParent: place.ticketId }],
  }),
  'trash-ticket': async (place, { db }) => ({ idTicket: await makeTicket(db, place.organizationId, place.project) }),
  'restore-ticket': async (place, server) => ({ idTicket: await trashed(place, server) }),
  'purge-ticket': async (place, server) => ({ idTicket: await trashed(place, server) }),
  'get-ticket-trash': inProject,
  'get-ticket-history': onTicket,
  'get-project-data': inProject,
  'set-project-data': place => ({ ...inProject(place), Title: name('Project') }),
  'get-project-members': inProject,
  'get-project-member-candidates': inProject,
  'add-project-member': async (place, { db }) => ({ ...inProject(place), idUser: await makeUser(db, place.organizationId) }),
  'remove-project-member': async (place, server) => ({ ...inProject(place), idProjectMember: await freshMember(place, server) }),
  'get-project-roles': inProject,
  'create-project-role': place => ({ ...inProject(place), Role: name('Role') }),
  'set-project-role': async (place, server) => ({ ...inProject(place), idRole: await freshRole(place, server), Role: name('Role') }),
  'set-project-role-order': place => ({ ...inProject(place), SortOrder: [place.project.roles.reviewer] }),
  'delete-project-roles': async (place, server) => ({
    ...inProject(place),
    ids: [await freshRole(place, server)],
    idReplacement: place.project.roles.assignee,
  }),
  'restore-project-member': async (place, server) => {
    const idUser = await makeUser(server.db, place.organizationId)
    return {
      ...inProject(place),
      idUser: await gone(place, server, 'project_member', idUser, { Member: String(idUser), Permissions: '[1,2]' }),
    }
  },
  'restore-project-roles': async (place, server) => ({
    ...inProject(place),
    ids: [await gone(place, server, 'role', await usedId(server, 'role'), { Name: name('Role'), Position: '90' })],
  }),
  'get-organization-data': ({ organizationId }) => ({ idOrganization: organizationId }),
  'get-organization-member-candidates': ({ organizationId }) => ({ idOrganization: organizationId }),
  'set-organization-data': ({ organizationId }) => ({ idOrganization: organizationId, Title: name('Organization') }),
  'set-organization-member': ({ organizationId, userId }) => ({ idOrganization: organizationId, idUser: userId, Admin: 0 }),
  'remove-organization-member': async ({ organizationId }, { db }) => ({
    idOrganization: organizationId,
    idUser: await makeUser(db, organizationId),
  }),
  'restore-organization-member': async (place, server) => ({
    idOrganization: place.organizationId,
    idUser: await gone(place, server, 'organization_member', await makeUser(server.db, null), { Member: '1' }, false),
  }),
  'get-invitation': invited,
  'accept-invitation': invited,
  'get-backup-status': () => ({}),
  'get-ticket-property-type-list': () => ({}),
  'get-propertytype-list': () => ({}),
  'get-permission-types': () => ({}),
  'get-ticket-field-list': inProject,
  'create-new-ticket-field': place => ({
    ...inProject(place),
    Label: 'Label',
    DbKey: `k${randomUUID().replaceAll('-', '')}`,
    idControlType: 1,
  }),
  'set-ticket-field': async (place, server) => ({ ...inProject(place), idField: await freshField(place, server), Label: name('Label') }),
  'get-field-type-change': place => ({ ...inProject(place), idField: place.project.fields.note, idControlType: 3 }),
  'set-ticket-field-type': async (place, server) => ({ ...inProject(place), idField: await freshField(place, server), idControlType: 3 }),
  'set-ticket-field-order': place => ({ ...inProject(place), SortOrder: [place.project.fields.size] }),
  'get-ticket-field-usage': place => ({ ...inProject(place), ids: [place.project.fields.note] }),
  'delete-ticket-fields': async (place, server) => ({ ...inProject(place), ids: [await freshField(place, server)] }),
  'restore-ticket-fields': async (place, server) => ({ ...inProject(place), ids: [await freshField(place, server, true)] }),
  'get-ticket-state-list': inProject,
  'create-new-state': place => ({ ...inProject(place), State: name('State'), idPhase: 1 }),
  'set-ticket-state': async (place, server) => ({ ...inProject(place), idState: await freshState(place, server), State: name('State') }),
  'set-ticket-state-order': place => ({ ...inProject(place), SortOrder: [place.project.states.done] }),
  'get-ticket-state-usage': place => ({ ...inProject(place), ids: [place.project.states.open] }),
  'delete-ticket-states': async (place, server) => ({
    ...inProject(place),
    ids: [await freshState(place, server)],
    idReplacement: place.project.states.open,
  }),
  'restore-ticket-states': async (place, server) => ({
    ...inProject(place),
    ids: [await gone(place, server, 'state', await usedId(server, 'state'), { Name: name('State'), Phase: '1', Position: '90' })],
  }),
  'get-state-transitions': inProject,
  'set-state-transitions': ({ project }) => ({
    idProject: project.projectId,
    Transitions: [
      { from: project.states.open, to: project.states.doing },
      { from: project.states.doing, to: project.states.done },
    ],
  }),
  'get-ticket-template-list': inProject,
  'create-new-template': place => ({
    ...inProject(place),
    Label: name('Template'),
    idEntryState: place.project.states.open,
    Fields: [place.project.fields.note],
  }),
  'get-ticket-template': place => ({ ...inProject(place), idTicketTemplate: place.project.templates.bug }),
  'set-ticket-template': async (place, server) => ({
    ...inProject(place),
    idTicketTemplate: await freshTemplate(place, server),
    idEntryState: place.project.states.doing,
    Fields: [place.project.fields.note],
  }),
  'set-ticket-template-order': place => ({ ...inProject(place), SortOrder: [place.project.templates.task] }),
  'get-ticket-template-usage': place => ({ ...inProject(place), ids: [place.project.templates.bug] }),
  'delete-ticket-templates': async (place, server) => ({ ...inProject(place), ids: [await freshTemplate(place, server)] }),
  'restore-ticket-templates': async (place, server) => ({ ...inProject(place), ids: [await freshTemplate(place, server, true)] }),
  'get-ticket-watchers': onTicket,
  'get-text-names': place => ({ ...onTicket(place), Tickets: [], Logins: [] }),
  'get-mentionable-users': place => ({ ...onTicket(place), Text: '' }),
  'set-ticket-watcher': place => ({ ...onTicket(place), idUser: place.userId, Watch: 1 }),
  'move-ticket-watchers': async (place, { db }) => ({
    idTicket: await makeTicket(db, place.organizationId, place.project),
    idOther: place.childId,
  }),
  'set-comment-reaction': ({ commentId }) => ({ idComment: commentId, Reaction: 'heart', Enabled: 1 }),
  'find-tickets': place => ({ ...onTicket(place), Text: 'Ticket' }),
  'delete-comment': async (place, server) => ({ idComment: await freshComment(place, server) }),
  'restore-comment': async (place, server) => ({ idComment: await freshComment(place, server, true) }),
  'get-ticket-links': onTicket,
  'set-ticket-link': async (place, { db }) => ({
    idTicket: await makeTicket(db, place.organizationId, place.project),
    idOther: place.childId,
    Kind: 'blocks',
  }),
  'remove-ticket-link': async (place, server) => ({ idLink: await freshLink(place, server) }),
  'get-view-list': inProject,
  'set-view': place => ({ ...inProject(place), Name: name('View') }),
  'set-view-order': place => ({ ...inProject(place), SortOrder: [place.viewId] }),
  'delete-views': async (place, server) => ({ ...inProject(place), ids: [await freshView(place, server)] }),
  'restore-views': async (place, server) => ({ ...inProject(place), ids: [await deletedView(place, server)] }),
  'get-project-statistics': place => ({ ...inProject(place), From: '2026-01-01', To: '2026-01-31', Zone: 'UTC' }),
  'export-tickets': ({ project }) => ({ idProject: String(project.projectId) }),
  'query-board': place => ({ ...inProject(place), Group: 'State' }),
  'move-on-board': async (place, { db }) => ({
    idTicket: await makeTicket(db, place.organizationId, place.project),
    After: place.ticketId,
  }),
  'preview-bulk-change': async (place, { db }) => ({
    ...inProject(place),
    Tickets: [await makeTicket(db, place.organizationId, place.project)],
    Change: { data: { note: name('Note') } },
  }),
  'apply-bulk-change': async (place, server, asker = place.userId) => ({
    idPreview: await freshPreview({ ...place, userId: asker }, server),
  }),
  'get-bulk-progress': async (place, server, asker = place.userId) => ({
    ...inProject(place),
    idPreview: await freshPreview({ ...place, userId: asker }, server),
  }),
  'stop-bulk-change': async (place, server, asker = place.userId) => ({
    ...inProject(place),
    idPreview: await freshPreview({ ...place, userId: asker }, server),
  }),
  'get-change-set-list': inProject,
  'revert-change-set': async (place, server) => ({ idChangeSet: await freshChangeSet(place, server) }),
  'search-tickets': place => ({ ...inProject(place), Query: 'ticket' }),
  'suggest-search': place => ({ ...inProject(place), Query: 'lab', Caret: 3 }),
  'get-label-list': inProject,
  'set-label': async (place, server) => ({ ...inProject(place), idLabel: await freshLabel(place, server), Label: name('Label') }),
  'delete-labels': async (place, server) => ({
    ...inProject(place),
    ids: [await freshLabel(place, server)],
    idReplacement: await freshLabel(place, server),
  }),
  'restore-labels': async (place, server) => ({
    ...inProject(place),
    ids: [await gone(place, server, 'label', await usedId(server, 'label'), { Name: name('Label'), Color: '#00aa77' })],
  }),
  'get-user-permissions': inProject,
  'set-user-permissions': async (place, server) => ({
    ...inProject(place),
    Members: [{ idProjectMember: await freshMember(place, server, [11]), Permissions: [] }],
  }),
  'set-user-permission': place => ({ ...inProject(place), idProjectMember: place.memberId, idPermission: 2, Enabled: 1 }),
}

/** What the cases of the matrix change, and of whom: 'e-mail of a manager'. */
export async function caseInput(text: string, place: Place, server: TestServer): Promise<Input> {
  const { organizationId, project } = place
  const { db } = server
  const ofOrganization: Record<string, Make> = {
    'new label of the organization': () => ({ ...inProject(place), Label: name('Label'), Scope: 'organization' }),
    'change of an organization label': async () => ({
      ...inProject(place),
      idLabel: await freshLabel(place, server, null),
      Label: name('Label'),
    }),
    'deletion of an organization label': async () => ({ ...inProject(place), ids: [await freshLabel(place, server, null)] }),
    'restoration of an organization label': async () => ({
      ...inProject(place),
      ids: [await gone(place, server, 'label', await usedId(server, 'label'), { Name: name('Label'), Color: '#00aa77' }, false)],
    }),
  }
  const make = ofOrganization[text]
  if (make) return make(place, server)
  const [part = '', target = ''] = text.split(/ ?\bof an? /)
  const standing: Input = {
    [target === 'manager' ? 'manager' : target === 'super user' ? 'super' : target === 'member' ? '' : 'admin']: true,
  }
  const idUser = await makeUser(db, organizationId, standing)
  const changes: Record<string, Input> = {
    '': { idOrganization: organizationId },
    names: { RealName: name('Real') },
    'e-mail': { Email: `${randomUUID()}@example.com` },
    login: { LoginName: randomUUID() },
    deactivation: { Active: 0 },
    projects: { ProjectMembership: [project.projectId] },
  }
  return { idUser, ...changes[part] }
}

/** The id parameters of each call beside those the matrix names in its inputs above: how to put an id into a valid input. */
export function withId(input: Input, parameter: string, id: number): Input {
  const copy = structuredClone(input)
  const [path = ''] = parameter.split(':')
  const names: Record<string, string> = { 'TicketAssign[].user': 'TicketAssign[].idUser', 'TicketAssign[].role': 'TicketAssign[].idRole' }
  const wire = (names[path] ?? path).replace('Assignees[].user', 'Assignees[].idUser').replace('Assignees[].role', 'Assignees[].idRole')
  const [head = '', member] = wire.split('[].')
  if (wire.endsWith('[]')) {
    const list = wire.slice(0, -2)
    copy[list] = [...((copy[list] as number[] | undefined) ?? []), id]
  } else if (member !== undefined) {
    const rows = (copy[head] ?? [{}]) as Input[]
    copy[head] = rows.map((row, index) => (index === 0 ? { ...row, [member]: id } : row))
  } else copy[head] = id
  return copy
}
