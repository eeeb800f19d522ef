import { useState } from 'react'
import { CheckBox, LabeledCheckBox } from '../src/components/check-box/check-box.tsx'
import { MultiSelectFilter } from '../src/components/filter/multi-select-filter.tsx'
import { TextFilter } from '../src/components/filter/text-filter.tsx'
import { DarkIcon, LightIcon, SystemIcon } from '../src/components/icons/icons.tsx'
import { SectionCard } from '../src/components/section-card/section-card.tsx'
import { Switch } from '../src/components/switch/switch.tsx'
import { Tabs } from '../src/components/tabs/tabs.tsx'
import { ToggleGroup } from '../src/components/toggle-group/toggle-group.tsx'
import styles from './parts.module.css'

/** Parts that are on or off, or one of few. */
export function Choices() {
  const [isOn, turn] = useState(true)
  const [scheme, setScheme] = useState<'light' | 'dark' | 'system'>('system')
  const [tab, setTab] = useState<'one' | 'two'>('one')
  const [filter, setFilter] = useState<string[]>(['Bug'])
  return (
    <SectionCard title="Boxes, switches and tabs" padded>
      <div className={styles.column}>
        <div className={styles.row}>
          <LabeledCheckBox label="On or off" checked={isOn} onChange={event => turn(event.target.checked)} />
          <LabeledCheckBox label="Off" />
          <LabeledCheckBox label="Disabled" defaultChecked disabled />
          <CheckBox label="All of them" checked={false} indeterminate onChange={() => undefined} />
        </div>
        <div className={styles.row}>
          <Switch label="At once" checked={isOn} onChange={turn} />
          <Switch label="Off" checked={false} onChange={() => undefined} />
          <Switch label="Disabled" checked disabled onChange={() => undefined} />
        </div>
        <ToggleGroup
          label="Colors"
          value={scheme}
          onChange={setScheme}
          options={[
            { value: 'light', label: 'Light', icon: <LightIcon /> },
            { value: 'dark', label: 'Dark', icon: <DarkIcon /> },
            { value: 'system', label: 'System', icon: <SystemIcon /> },
          ]}
        />
        <Tabs
          label="Two tabs"
          value={tab}
          onChange={setTab}
          tabs={[
            { value: 'one', label: 'One' },
            { value: 'two', label: 'Two' },
          ]}
        />
        <TextFilter label="Title" placeholder="Filter title" value="" onChange={() => undefined} maxLength={20} />
        <TextFilter label="ID" placeholder="Filter ID" value="42" onChange={() => undefined} maxLength={20} />
        <MultiSelectFilter
          label="Type"
          options={['Bug', 'Epic', 'Task'].map(value => ({ value, label: value }))}
          value={filter}
          onChange={setFilter}
        />
        <MultiSelectFilter label="State" options={[]} value={[]} onChange={() => undefined} />
      </div>
    </SectionCard>
  )
}
