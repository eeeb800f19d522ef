/**
 * Bytes of the server's heap after a full garbage collection; without one, the heap may be half as large again. The server must have been started
 * with `NODE_OPTIONS=--inspect=127.0.0.1:0`.
 */
export async function heapAfterCollection({ output }: { output: string }) {
  const address = output.match(/ws:\/\/127\.0\.0\.1:\S+/g)?.at(-1)
  if (!address) throw new Error('the server listens to no debugger')
  const socket = new WebSocket(address)
  await new Promise((resolve, reject) => {
    socket.onopen = resolve
    socket.onerror = reject
  })
  const ask = (method: string) =>
    new Promise<{ usedSize: number }>(resolve => {
      socket.onmessage = ({ data }) => resolve(JSON.parse(data).result)
      socket.send(JSON.stringify({ id: 1, method }))
    })
  await ask('HeapProfiler.collectGarbage')
  const { usedSize } = await ask('Runtime.getHeapUsage')
  socket.close()
  return usedSize
}
