/** What Node.js and OpenSSL say about a connection that failed, without what does not help an operator. */
export function connectionFault(message: string) {
  if (message.includes('wrong version number')) return 'no TLS is spoken on this port'
  // Node.js advises an argument of its own, and OpenSSL ends its messages with a line break.
  return message.replace(/; if the root CA is installed locally.*$/s, '').trim()
}
