import { messages } from '@tessera/contract/messages'
import { isAddress } from '@tessera/contract/projects/field-values'
import type { TicketField as Field } from '@tessera/contract/tickets/tickets'
import { useId } from 'react'
import { LabeledCheckBox } from '../../../../components/check-box/check-box.tsx'
import { DateField } from '../../../../components/date-field/date-field.tsx'
import linkStyles from '../../../../components/link/link.module.css'
import { Select } from '../../../../components/select/select.tsx'
import { TextField } from '../../../../components/text-field/text-field.tsx'
import { classNames } from '../../../../lib/display/class-names.ts'
import { RichText } from '../../text/rendering/rich-text.tsx'
import type { Ticket } from '../../ticket.ts'
import { problemOfValue } from './field-value.ts'
import { LongTextField } from './long-text-field.tsx'
import { MemberField } from './member-field.tsx'
import { OptionField, OptionsField, searchedFrom } from './searched-fields.tsx'
import styles from './ticket-field.module.css'

interface TicketFieldProps {
  ticket: Ticket
  field: Field
  value: string
  onChange: (value: string) => void
  readOnly: boolean
  /** What the server found wrong with it. */
  refusal?: string | undefined
}

/** The editor that fits a field's renderer. */
export function TicketField({ ticket, field, value, onChange, readOnly, refusal }: TicketFieldProps) {
  const { Label, Renderer, FieldProps } = field
  const id = useId()
  const problem = refusal ?? problemOfValue(Renderer, value)
  const state = { id, label: Label, readOnly, problem }
  const text = {
    ...state,
    value,
    onChange: (event: { target: { value: string } }) => onChange(event.target.value),
    // Without an edge an empty field would be invisible.
    placeholder: '–',
  }
  const searched = { ...state, value, onChange, options: FieldProps }
  switch (Renderer) {
    case 'TEXTMULTILINE':
      return readOnly ? (
        <ReadText label={Label} text={value} ticket={ticket} />
      ) : (
        <LongTextField {...text} ticket={ticket} fieldKey={field.Key} stored={field.Value} onChange={onChange} />
      )
    case 'TEXT':
      return <TextField {...text} />
    case 'NUMBER':
      return <TextField {...text} inputMode="decimal" />
    case 'DATE':
      // A date field shows mm/dd/yyyy to people who cannot enter one.
      if (readOnly && value === '') return <TextField {...text} className={styles.unset} />
      return <DateField {...text} onChange={onChange} className={value === '' ? styles.unset : undefined} />
    case 'URL':
      return (
        <div>
          <TextField {...text} type="url" placeholder={readOnly ? text.placeholder : 'https://'} />
          <Address value={value} />
        </div>
      )
    case 'CHECKBOX':
      return (
        <div className={styles.check}>
          <LabeledCheckBox
            label={Label}
            checked={value === '1'}
            disabled={readOnly}
            onChange={event => onChange(event.target.checked ? '1' : '')}
          />
          {problem && <p className={styles.problem}>{problem}</p>}
        </div>
      )
    case 'SELECT':
      if (FieldProps.length === 0 && !value) {
        const none = messages.noItems
        return <Select {...state} value={value} onChange={onChange} options={[]} placeholder={none} emptyText={none} />
      }
      if (FieldProps.length >= searchedFrom) return <OptionField {...searched} />
      return <Select {...state} value={value} onChange={onChange} options={choicesOf(field, value)} />
    case 'USER':
      return <MemberField {...searched} idTicket={ticket.idTicket} />
    case 'MULTISELECT':
      return <OptionsField {...searched} />
    default:
      return (
        <div>
          <div className={styles.label}>{Label}</div>
          <div className={styles.remark}>{messages.unknownInput}</div>
        </div>
      )
  }
}

/** What a SELECT field offers. */
function choicesOf({ FieldProps }: Field, value: string) {
  const none = { value: '', label: <span className={styles.none}>None</span> }
  // A value whose option was deleted is still shown.
  const gone = value && !FieldProps.some(option => option.value === value) ? [{ value, label: value }] : []
  return [none, ...gone, ...FieldProps]
}

/** The address of a URL field as a link, if it is one that may be opened. */
function Address({ value }: { value: string }) {
  if (!isAddress(value)) return null
  return (
    <a href={value} target="_blank" rel="noopener noreferrer nofollow" className={classNames(linkStyles.link, styles.address)}>
      {value}
    </a>
  )
}

/** A long text for people who may not edit it. */
function ReadText({ label, text, ticket }: { label: string; text: string; ticket: Ticket }) {
  const id = useId()
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for controls
    <div role="group" aria-labelledby={id} className={styles.read}>
      <div id={id} className={styles.label}>
        {label}
      </div>
      {text.trim() === '' ? <span className={styles.none}>–</span> : <RichText text={text} ticket={ticket} />}
    </div>
  )
}
