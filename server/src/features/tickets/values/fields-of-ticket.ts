/** SQL: whether the template has the field. */
export function hasField(organization: string, template: string, field: string) {
  return `exists (select 1 from template_field has where has.organization_id = ${organization} and has.template_id = ${template} and has.field_id = ${field})`
}

/**
 * The fields that ticket `t` may have values of, with them: all of its project but archived ones without a value. `is_shown`: it is archived, or its
 * template has it. Clearing a value stores '': its version is needed to detect conflicts.
 */
export function fieldsOf(organization: string, t: string) {
  return `(select f.id, f.key, f.label, f.type_id, f.options, f.position, coalesce(tf.position, 2147483647) as shown_at, v.value, v.version,
      f.archived_at is not null or tf.field_id is not null as is_shown
    from field f
    left join template_field tf on tf.organization_id = ${organization} and tf.template_id = ${t}.template_id and tf.field_id = f.id
    left join ticket_value v on v.organization_id = ${organization} and v.ticket_id = ${t}.id and v.field_id = f.id
    where f.organization_id = ${organization} and f.project_id = ${t}.project_id and (f.archived_at is null or v.value <> ''))`
}
