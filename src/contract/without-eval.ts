import * as z from 'zod'

// To be imported before anything that makes a schema, by all code of a page. zod compiles checks where it can, and tries that with
// `new Function`; the policy of a page refuses it, and a browser reports the attempt.
z.config({ jitless: true })
