declare module 'autocannon' {
  interface Request {
    method: string
    path: string
    headers: Record<string, string>
    body: string
    setupRequest(request: Request): Request
  }
  interface Instance {
    on(event: 'response', listener: (client: unknown, status: number, bytes: number, milliseconds: number) => void): void
  }
  export default function autocannon(
    options: { url: string; connections: number; duration: number; timeout: number; requests: Request[] },
    done: (error: Error | null, result: { duration: number; errors: number }) => void,
  ): Instance
}
