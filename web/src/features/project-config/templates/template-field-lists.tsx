import { type ReactNode, useState } from 'react'
import { IconButton } from '../../../components/icon-button/icon-button.tsx'
import { AddIcon, CloseIcon } from '../../../components/icons/icons.tsx'
import { Sortable } from '../../../components/sortable/sortable.tsx'
import { SortableItem, SortableList } from '../../../components/sortable/sortable-item.tsx'
import styles from './template-field-lists.module.css'

interface TemplateFieldListsProps {
  /** The template's fields in order. */
  chosen: number[]
  fields: readonly { id: number; Label: string }[]
  /** The fields a template may get, in the project's order. */
  offered: readonly number[]
  onChange: (chosen: number[]) => void
}

/** 'Form Fields' and 'Available Fields': drag between them and within, or use the buttons. */
export function TemplateFieldLists({ chosen, fields, offered, onChange }: TemplateFieldListsProps) {
  // The order of the available fields after dragging lasts as long as the dialog.
  const [order, setOrder] = useState(offered)
  const known = [...order.filter(id => offered.includes(id)), ...offered.filter(id => !order.includes(id))]
  const lists = { form: chosen, available: known.filter(id => !chosen.includes(id)) }
  const noneAvailable = fields.length === 0 ? 'This project has no fields yet' : 'Every field is in the form'
  const nameOf = (id: number) => fields.find(field => field.id === id)?.Label ?? ''
  const item = (list: 'form' | 'available') => (id: number, index: number) => (
    <SortableItem as="li" key={id} id={id} index={index} list={list} name={nameOf(id)}>
      {handle => (
        <div className={styles.item}>
          {handle}
          <span className={styles.name}>{nameOf(id)}</span>
          <IconButton
            small
            aria-label={list === 'form' ? `Remove ${nameOf(id)} from the form` : `Put ${nameOf(id)} into the form`}
            onClick={() => onChange(list === 'form' ? chosen.filter(other => other !== id) : [...chosen, id])}
          >
            {list === 'form' ? <CloseIcon fontSize="small" /> : <AddIcon fontSize="small" />}
          </IconButton>
        </div>
      )}
    </SortableItem>
  )
  return (
    <Sortable
      lists={lists}
      nameOf={nameOf}
      listNames={{ form: 'Form Fields', available: 'Available Fields' }}
      onChange={({ form, available }) => {
        setOrder([...available, ...form])
        onChange(form)
      }}
    >
      {shown => (
        <div className={styles.lists}>
          <FieldList title="Form Fields" list="form" hint={shown.form.length === 0 ? 'Drag a field here, or press + beside it' : undefined}>
            {shown.form.map(item('form'))}
          </FieldList>
          <FieldList title="Available Fields" list="available" hint={shown.available.length === 0 ? noneAvailable : undefined}>
            {shown.available.map(item('available'))}
          </FieldList>
        </div>
      )}
    </Sortable>
  )
}

interface FieldListProps {
  title: string
  list: 'form' | 'available'
  hint: string | undefined
  children: ReactNode
}

function FieldList({ title, list, hint, children }: FieldListProps) {
  return (
    <div className={styles.column}>
      <div id={`fields-${list}`} className={styles.title}>
        {title}
      </div>
      <div className={styles.box}>
        <SortableList as="ul" list={list} aria-labelledby={`fields-${list}`}>
          {children}
        </SortableList>
        {hint && <div className={styles.hint}>{hint}</div>}
      </div>
    </div>
  )
}
