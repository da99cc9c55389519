// The only globals beside those of the core that Node, workers and windows share and that queries may use.
declare type Timer = { readonly timer: never }
declare function setTimeout(then: () => void, ms: number): Timer
declare function clearTimeout(timer: Timer | undefined): void
declare function setInterval(then: () => void, ms: number): Timer
declare function clearInterval(timer: Timer | undefined): void
declare const performance: { now(): number }
