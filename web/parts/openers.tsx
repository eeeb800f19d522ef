import { useRef, useState } from 'react'
import { MultiSelectField } from '../src/components/autocomplete/multi-select-field.tsx'
import { Button } from '../src/components/button/button.tsx'
import { ConfirmDialog } from '../src/components/confirm-dialog/confirm-dialog.tsx'
import { Drawer } from '../src/components/drawer/drawer.tsx'
import { FormDialog } from '../src/components/form-dialog/form-dialog.tsx'
import { Menu } from '../src/components/menu/menu.tsx'
import { SectionCard } from '../src/components/section-card/section-card.tsx'
import { Select } from '../src/components/select/select.tsx'
import { TextField } from '../src/components/text-field/text-field.tsx'
import { notify } from '../src/components/toaster/toaster.tsx'
import styles from './parts.module.css'

const words = ['Apple', 'Apricot', 'Banana', 'Cherry', 'Damson', 'Elderberry', 'Fig', 'Grape', 'Huckleberry', 'Imbe']
const options = words.map((text, id) => ({ id, text }))

/** Parts that stand above the page. */
export function Openers() {
  const [open, setOpen] = useState<'menu' | 'form' | 'question' | 'drawer'>()
  const [chosen, choose] = useState('Cherry')
  const [several, setSeveral] = useState<number[]>([])
  const [title, setTitle] = useState('')
  const anchor = useRef<HTMLButtonElement>(null)
  const close = () => setOpen(undefined)
  return (
    <SectionCard title="Above the page" padded>
      <div className={styles.row}>
        <Button ref={anchor} aria-haspopup="menu" aria-expanded={open === 'menu'} onClick={() => setOpen('menu')}>
          MENU: {chosen}
        </Button>
        <Button onClick={() => setOpen('form')}>FORM</Button>
        <Button onClick={() => setOpen('question')}>QUESTION</Button>
        <Button onClick={() => setOpen('drawer')}>DRAWER</Button>
        <Button onClick={() => notify.success('Something is done', { label: 'UNDO', onClick: () => notify.info('Taken back') })}>
          MESSAGE
        </Button>
        <Button onClick={() => notify.error('Something failed')}>FAILURE</Button>
        <Button onClick={() => notify.warning('Something needs an answer', { label: 'GO ON', onClick: () => undefined })}>WARNING</Button>
      </div>
      <Menu
        label="Fruit"
        anchor={anchor}
        open={open === 'menu'}
        onClose={close}
        choices={words.map((label, index) => ({
          key: label,
          label,
          detail: `${index + 1}`,
          isChosen: label === chosen,
          isDisabled: label === 'Banana',
          ...(label === 'Banana' && { note: 'There are none left' }),
          onChoose: () => choose(label),
        }))}
      />
      {open === 'form' && (
        <FormDialog
          title="A form"
          submitLabel="SAVE"
          isDirty={title !== ''}
          error={title === 'wrong' ? 'This is wrong.' : undefined}
          onSubmit={close}
          onClose={close}
        >
          <TextField label="Title" value={title} onChange={event => setTitle(event.target.value)} />
          <Select label="Fruit" value={chosen} options={words.map(value => ({ value, label: value }))} onChange={choose} />
          <MultiSelectField label="More fruit" options={options} value={several} onChange={setSeveral} />
        </FormDialog>
      )}
      <ConfirmDialog open={open === 'question'} title="Really?" confirmLabel="DELETE" onConfirm={close} onClose={close}>
        This cannot be taken back.
      </ConfirmDialog>
      {open === 'drawer' && (
        <Drawer label="A drawer" onClose={close}>
          <div style={{ padding: 16 }}>
            <Button onClick={close}>CLOSE</Button>
          </div>
        </Drawer>
      )}
    </SectionCard>
  )
}
