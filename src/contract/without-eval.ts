import * as z from 'zod'

// Import it before any schema in code of a page: zod tries `new Function`, and browsers report the refused attempt.
z.config({ jitless: true })
