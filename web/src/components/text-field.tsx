import FormControl from '@mui/material/FormControl'
import FormHelperText from '@mui/material/FormHelperText'
import InputLabel from '@mui/material/InputLabel'
import OutlinedInput, { type OutlinedInputProps } from '@mui/material/OutlinedInput'
import { type Ref, useId } from 'react'

interface TextFieldProps extends Omit<OutlinedInputProps, 'label' | 'ref' | 'inputRef' | 'id'> {
  label: string
  helperText?: string | false | undefined
  ref?: Ref<HTMLInputElement>
}

/** One line of text with its label and what is wrong with it: MUI's TextField without the lists, which a page to sign in has no use for. */
export function TextField({ label, helperText, error = false, ref, ...input }: TextFieldProps) {
  const id = useId()
  return (
    <FormControl fullWidth error={error}>
      <InputLabel htmlFor={id}>{label}</InputLabel>
      <OutlinedInput id={id} aria-describedby={helperText ? `${id}-text` : undefined} {...input} inputRef={ref} />
      {helperText && <FormHelperText id={`${id}-text`}>{helperText}</FormHelperText>}
    </FormControl>
  )
}
