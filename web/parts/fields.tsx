import { useState } from 'react'
import { Autocomplete, MultiAutocomplete } from '../src/components/autocomplete/autocomplete.tsx'
import { PhaseMark } from '../src/components/icons/phase-mark.tsx'
import { SectionCard } from '../src/components/section-card/section-card.tsx'
import { Select } from '../src/components/select/select.tsx'
import { TextArea, TextField } from '../src/components/text-field/text-field.tsx'
import styles from './parts.module.css'

const people = Array.from({ length: 30 }, (_, index) => ({ id: index, text: `Person ${index + 1}` }))
const states = ([1, 2, 3] as const).map(phase => ({ value: phase, label: `State ${phase}`, icon: <PhaseMark phase={phase} /> }))

/** Parts that take text, or one or several of a list. */
export function Fields() {
  const [text, setText] = useState('Two lines\nof text')
  const [state, setState] = useState<number>(2)
  const [person, setPerson] = useState(people[2] ?? null)
  const [several, setSeveral] = useState(people.slice(0, 2))
  return (
    <>
      <SectionCard title="Text" padded>
        <div className={styles.column}>
          <TextField label="Empty" placeholder="Nothing yet" />
          <TextField label="With help" defaultValue="A value" helperText="What belongs here" />
          <TextField label="Wrong" defaultValue="A value" problem="What is wrong with it" />
          <TextField label="Disabled" defaultValue="A value" disabled />
          <TextField label="Read only" defaultValue="A value" readOnly />
          <TextField aria-label="Search" type="search" placeholder="Search" />
          <TextArea label="Several lines" value={text} onChange={event => setText(event.target.value)} maxRows={6} />
        </div>
      </SectionCard>
      <SectionCard title="Lists" padded>
        <div className={styles.column}>
          <Select label="State" value={state} options={states} onChange={setState} />
          <Select label="Nothing chosen" value={0} options={states} placeholder="None" onChange={setState} problem="Choose one" />
          <Select label="Nothing to choose" value={0} options={[]} emptyText="No items" onChange={() => undefined} />
          <Select label="Not now" value={state} options={states} onChange={setState} disabled />
          <Autocomplete label="Person" options={people} value={person} onChange={setPerson} />
          <MultiAutocomplete label="People" options={people} value={several} onChange={setSeveral} helperText="As many as you like" />
          <MultiAutocomplete label="Nobody may change them" options={people} value={several} onChange={setSeveral} disabled />
        </div>
      </SectionCard>
    </>
  )
}
