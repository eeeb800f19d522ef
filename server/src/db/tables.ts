// Generated from the migrated database: npm run db:types
import type { ColumnType, Generated } from 'kysely'

type Options = { value: string; label: string }[]

export interface Tables {
  assignment: {
    organization_id: number
    project_id: number
    ticket_id: number
    user_id: number
    role_id: number
  }
  attachment: {
    organization_id: number
    id: Generated<number>
    ticket_id: number
    name: string
    content_type: string
    bytes: number
    sha256: Buffer
    storage_key: string
    created_at: ColumnType<Date, Date | string | undefined, Date | string>
    created_by: number | null
    width: number | null
    height: number | null
    deleted_at: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>
    deleted_by: number | null
  }
  backup_run: {
    id: Generated<number>
    started_at: ColumnType<Date, Date | string | undefined, Date | string>
    finished_at: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>
    location: Generated<string>
    bytes: number | null
    proven_at: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>
    error: string | null
    warning: string | null
  }
  bulk_preview: {
    organization_id: number
    id: Generated<number>
    project_id: number
    user_id: number
    change: ColumnType<unknown, string, string>
    found: ColumnType<unknown, string, string>
    tickets: ColumnType<unknown, string, string>
    applied: ColumnType<unknown, string | null | undefined, string | null>
    created_at: ColumnType<Date, Date | string | undefined, Date | string>
    reverts: number | null
    also: ColumnType<unknown, string | undefined, string>
    change_set_id: number | null
    done: Generated<number>
    changed: Generated<number>
    skipped: ColumnType<unknown, string | undefined, string>
    total: number
  }
  calendar_feed: {
    organization_id: number
    id: Generated<number>
    project_id: number
    owner_id: number
    name: string
    query: string
    field_key: string
    zone: string
    token_hash: Buffer
    created_at: ColumnType<Date, Date | string | undefined, Date | string>
    fetched_at: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>
  }
  captcha_use: {
    token_hash: Buffer
    used_at: ColumnType<Date, Date | string | undefined, Date | string>
  }
  change: {
    organization_id: number
    id: Generated<number>
    change_set_id: number
    subject: string
    subject_id: number | null
    project_id: number | null
    ticket_id: number | null
    field: string
    before: string | null
    after: string | null
    user_id: number | null
    changed_at: ColumnType<Date, Date | string | undefined, Date | string>
    quiet: Generated<boolean>
  }
  change_set_notice: {
    organization_id: number
    change_set_id: number
    project_id: number
    first_change_id: number
    finished: boolean
    changed_at: ColumnType<Date, Date | string | undefined, Date | string>
  }
  change_set_summary: {
    organization_id: number
    id: number
    project_id: number
    user_id: number | null
    what: string
    tickets: number
    reverted_by: number | null
    made_at: ColumnType<Date, Date | string | undefined, Date | string>
  }
  change_set_watching: {
    organization_id: number
    change_set_id: number
    ticket_id: number
    user_id: number
    watched: boolean
    enabled: boolean | null
    own: boolean | null
  }
  comment: {
    organization_id: number
    id: Generated<number>
    ticket_id: number
    author_id: number | null
    text: string
    created_at: ColumnType<Date, Date | string | undefined, Date | string>
    written_at: ColumnType<Date, Date | string | undefined, Date | string>
    versions: Generated<number>
    deleted_at: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>
    deleted_by: number | null
  }
  comment_reaction: {
    organization_id: number
    comment_id: number
    reaction: string
    user_id: number
    created_at: ColumnType<Date, Date | string | undefined, Date | string>
  }
  comment_version: {
    organization_id: number
    comment_id: number
    version: number
    text: string
    written_at: ColumnType<Date, Date | string, Date | string>
  }
  field: {
    organization_id: number
    id: Generated<number>
    project_id: number
    key: string
    label: string
    type_id: number
    options: ColumnType<Options, string | undefined, string>
    position: number
    archived_at: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>
  }
  idempotency_key: {
    organization_id: number
    user_id: number
    key: string
    call: string
    request_hash: Buffer
    answer: ColumnType<unknown, string | null | undefined, string | null>
    created_at: ColumnType<Date, Date | string | undefined, Date | string>
  }
  installation: {
    singleton: Generated<boolean>
    id: Generated<string>
    storage_id: string | null
    secret: Generated<Buffer>
    created_at: ColumnType<Date, Date | string | undefined, Date | string>
    storage_clean_up: ColumnType<unknown, string | null | undefined, string | null>
  }
  invitation: {
    organization_id: number
    user_id: number
    admin: Generated<boolean>
    manager: Generated<boolean>
    invited_by: number
    invited_at: ColumnType<Date, Date | string | undefined, Date | string>
  }
  known_device: {
    user_id: number
    device_hash: Buffer
    last_used_at: ColumnType<Date, Date | string | undefined, Date | string>
  }
  label: {
    organization_id: number
    id: Generated<number>
    project_id: number | null
    name: string
    color: string
  }
  mention: {
    organization_id: number
    ticket_id: number
    comment_id: number
    field_id: number
    user_id: number
  }
  migration: {
    name: string
    applied_at: ColumnType<Date, Date | string | undefined, Date | string>
  }
  organization: {
    id: Generated<number>
    title: string
    attachment_bytes: Generated<number>
    attachment_quota: Generated<number>
    created_at: ColumnType<Date, Date | string | undefined, Date | string>
  }
  organization_member: {
    organization_id: number
    user_id: number
    admin: Generated<boolean>
    manager: Generated<boolean>
    created_at: ColumnType<Date, Date | string | undefined, Date | string>
  }
  original_text: {
    organization_id: number
    ticket_id: number
    comment_id: number
    field_id: number
    text: string
  }
  project: {
    organization_id: number
    id: Generated<number>
    title: string
    short_code: string
    archived_at: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>
    workflow_version: Generated<number>
    created_at: ColumnType<Date, Date | string | undefined, Date | string>
    blockers_hold: Generated<boolean>
    due_field_key: string | null
  }
  project_member: {
    organization_id: number
    id: Generated<number>
    project_id: number
    user_id: number
    permissions: Generated<number>
    created_at: ColumnType<Date, Date | string | undefined, Date | string>
  }
  property_type: {
    id: number
    description: string
  }
  reset_code: {
    code_hash: Buffer
    user_id: number
    device_hash: Buffer
    created_at: ColumnType<Date, Date | string | undefined, Date | string>
    expires_at: ColumnType<Date, Date | string, Date | string>
    used_at: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>
  }
  role: {
    organization_id: number
    id: Generated<number>
    project_id: number
    name: string
    position: number
  }
  root_tally: {
    organization_id: number
    project_id: number
    slot: number
    tickets: number
  }
  saved_search: {
    organization_id: number
    id: Generated<number>
    owner_id: number
    name: string
    query: string
    shared: Generated<boolean>
    created_at: ColumnType<Date, Date | string | undefined, Date | string>
    deleted_at: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>
  }
  search_word: {
    organization_id: number
    id: Generated<number>
    project_id: number
    word: string
  }
  session: {
    organization_id: number
    token_hash: Buffer
    id: Generated<string>
    user_id: number
    created_at: ColumnType<Date, Date | string | undefined, Date | string>
    last_seen_at: ColumnType<Date, Date | string | undefined, Date | string>
    ended_at: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>
    end_reason: string | null
    address: Generated<string>
    device: Generated<string>
  }
  state: {
    organization_id: number
    id: Generated<number>
    project_id: number
    name: string
    phase: number
    position: number
    board_limit: number | null
    limit_holds: Generated<boolean>
  }
  state_transition: {
    organization_id: number
    project_id: number
    from_state_id: number
    to_state_id: number
  }
  subscription: {
    organization_id: number
    ticket_id: number
    user_id: number
    enabled: boolean
    own: Generated<boolean>
  }
  template: {
    organization_id: number
    id: Generated<number>
    project_id: number
    name: string
    entry_state_id: number
    position: number
    archived_at: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>
    defaults: ColumnType<unknown, string | null | undefined, string | null>
  }
  template_field: {
    organization_id: number
    project_id: number
    template_id: number
    field_id: number
    position: number
  }
  throttle: {
    bucket: string
    failures: Generated<number>
    consecutive: Generated<number>
    window_started_at: ColumnType<Date, Date | string | undefined, Date | string>
    blocked_until: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>
  }
  ticket: {
    organization_id: number
    id: Generated<number>
    project_id: number
    template_id: number
    state_id: number
    parent_id: number | null
    title: string
    created_at: ColumnType<Date, Date | string | undefined, Date | string>
    created_by: number | null
    version: Generated<number>
    title_version: Generated<number>
    state_version: Generated<number>
    trashed_at: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>
    trashed_by: number | null
    trash_root_id: number | null
    external_id: string | null
    rank: string | null
    template_version: Generated<number>
  }
  ticket_burst: {
    organization_id: number
    ticket_id: number
    first_change_id: number
    last_change_id: number
    ended_at: ColumnType<Date, Date | string | undefined, Date | string>
  }
  ticket_label: {
    organization_id: number
    ticket_id: number
    label_id: number
  }
  ticket_link: {
    organization_id: number
    id: Generated<number>
    from_ticket_id: number
    to_ticket_id: number
    kind: string
  }
  ticket_notice: {
    organization_id: number
    ticket_id: number
    first_change_id: number
    first_change_at: ColumnType<Date, Date | string | undefined, Date | string>
  }
  ticket_search: {
    organization_id: number
    project_id: number
    ticket_id: number
    words: unknown
    grams: unknown
    comment_words: Generated<number>
    comment_bytes: Generated<number>
  }
  ticket_subordinate: {
    organization_id: number
    ticket_id: number
    proposed: Generated<number>
    active: Generated<number>
    inactive: Generated<number>
  }
  ticket_tally: {
    organization_id: number
    project_id: number
    template_id: number
    state_id: number
    root: boolean
    slot: number
    tickets: number
  }
  ticket_value: {
    organization_id: number
    ticket_id: number
    field_id: number
    value: string
    version: Generated<number>
  }
  ticket_view: {
    organization_id: number
    id: Generated<number>
    project_id: number
    owner_id: number
    name: string
    query: string
    columns: ColumnType<unknown, string | undefined, string>
    sort: ColumnType<unknown, string | undefined, string>
    grouping: Generated<string>
    layout: string
    shared: Generated<boolean>
    is_default: Generated<boolean>
    created_at: ColumnType<Date, Date | string | undefined, Date | string>
    deleted_at: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>
    open: ColumnType<unknown, string | undefined, string>
    lanes: Generated<string>
  }
  ticket_view_order: {
    organization_id: number
    project_id: number
    user_id: number
    view_ids: unknown
  }
  user_account: {
    id: Generated<number>
    login: string
    full_name: Generated<string>
    given_name: Generated<string>
    email: Generated<string>
    password_hash: string | null
    super: Generated<boolean>
    disabled: Generated<boolean>
    auto_receive_notifications: Generated<boolean>
    created_at: ColumnType<Date, Date | string | undefined, Date | string>
    email_changed_at: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>
  }
}

export const tableNames: readonly (keyof Tables)[] = [
  'assignment',
  'attachment',
  'backup_run',
  'bulk_preview',
  'calendar_feed',
  'captcha_use',
  'change',
  'change_set_notice',
  'change_set_summary',
  'change_set_watching',
  'comment',
  'comment_reaction',
  'comment_version',
  'field',
  'idempotency_key',
  'installation',
  'invitation',
  'known_device',
  'label',
  'mention',
  'migration',
  'organization',
  'organization_member',
  'original_text',
  'project',
  'project_member',
  'property_type',
  'reset_code',
  'role',
  'root_tally',
  'saved_search',
  'search_word',
  'session',
  'state',
  'state_transition',
  'subscription',
  'template',
  'template_field',
  'throttle',
  'ticket',
  'ticket_burst',
  'ticket_label',
  'ticket_link',
  'ticket_notice',
  'ticket_search',
  'ticket_subordinate',
  'ticket_tally',
  'ticket_value',
  'ticket_view',
  'ticket_view_order',
  'user_account',
]
