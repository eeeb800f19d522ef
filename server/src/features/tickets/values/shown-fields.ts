/**
 * The fields that ticket `t` shows, with their values: those of its template, and archived ones that hold a value.
 * Clearing a value stores '': its version is needed to detect conflicts.
 */
export function shownFields(organization: string, t: string) {
  return `(select f.id, f.key, f.label, f.type_id, f.options, f.position, coalesce(tf.position, 2147483647) as shown_at, v.value, v.version
    from field f
    left join template_field tf on tf.organization_id = ${organization} and tf.template_id = ${t}.template_id and tf.field_id = f.id
    left join ticket_value v on v.organization_id = ${organization} and v.ticket_id = ${t}.id and v.field_id = f.id
    where f.organization_id = ${organization} and f.project_id = ${t}.project_id
      and case when f.archived_at is null then tf.field_id is not null else v.value <> '' end)`
}
