import { vi } from 'vitest'

/** Stands in for the `XMLHttpRequest` of uploads: returns the names of the files that are sent. None is answered, each can be canceled. */
export function fakeUploads() {
  const sent: string[] = []
  vi.stubGlobal(
    'XMLHttpRequest',
    class {
      upload = {}
      onabort = () => {}
      open() {}
      setRequestHeader() {}
      send(form: FormData) {
        sent.push((form.get('file') as File).name)
      }
      abort() {
        this.onabort()
      }
    },
  )
  return sent
}
