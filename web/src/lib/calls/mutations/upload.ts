import type { Call, Response } from '@tessera/contract/call'
import { exchange, type PostOptions, requestHeaders, unreachable } from '../api.ts'
import type { Answer } from '../first-calls.ts'
import { uuid } from './uuid.ts'

/**
 * Sends a form with files; `onProgress` gets the share that was sent, 0 to 1, and `onSent` is called when all of it was. Has a new Idempotency-Key
 * unless one is given: a caller that retries gives the same one.
 */
export function upload<C extends Call>(
  call: C,
  form: FormData,
  { onProgress, onSent, ...given }: PostOptions & { onProgress?: (share: number) => void; onSent?: () => void },
) {
  const options = { ...(call.idempotent && { idempotencyKey: uuid() }), ...given }
  // fetch has no upload progress.
  const attempt = () =>
    new Promise<Answer>((resolve, reject) => {
      options.signal?.throwIfAborted()
      const request = new XMLHttpRequest()
      request.open('POST', call.path)
      for (const [name, value] of Object.entries(requestHeaders(call, options))) request.setRequestHeader(name, value)
      request.upload.onprogress = event => event.lengthComputable && onProgress?.(event.loaded / event.total)
      request.upload.onload = () => onSent?.()
      request.onload = () =>
        resolve({ status: request.status, text: request.responseText, retryAfter: request.getResponseHeader('retry-after') })
      request.onerror = () => reject(unreachable())
      request.onabort = () => reject(options.signal?.reason)
      options.signal?.addEventListener('abort', () => request.abort())
      request.send(form)
    })
  return exchange(call, options, attempt) as Promise<Response<C>>
}
