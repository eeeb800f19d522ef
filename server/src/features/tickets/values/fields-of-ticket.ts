/**
 * SQL: the fields that ticket `t` may have values of, with them: all of its project but archived ones without a value. `is_shown`: it is archived, or its
 * template has it. Clearing a value stores '': its version is needed to detect conflicts. $1 is the organization.
 */
export const fieldsOfTicket = `(select f.id, f.key, f.label, f.type_id, f.options, f.position, coalesce(tf.position, 2147483647) as shown_at, v.value, v.version,
      f.archived_at is not null or tf.field_id is not null as is_shown
    from field f
    left join template_field tf on tf.organization_id = $1 and tf.template_id = t.template_id and tf.field_id = f.id
    left join ticket_value v on v.organization_id = $1 and v.ticket_id = t.id and v.field_id = f.id
    where f.organization_id = $1 and f.project_id = t.project_id and (f.archived_at is null or v.value <> ''))`
