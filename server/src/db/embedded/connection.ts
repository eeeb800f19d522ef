/** How to reach the bundled PostgreSQL: by a socket directory in `host`, on Windows by an address. */
export interface Connection {
  host: string
  port: number
  user: string
  database: string
  password?: string
}
