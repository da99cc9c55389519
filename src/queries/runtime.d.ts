// The only globals that queries may use beside those of core: they exist in Node, workers and windows.
declare type Timer = { readonly timer: never }
declare function setTimeout(then: () => void, ms: number): Timer
declare function clearTimeout(timer: Timer | undefined): void
declare function setInterval(then: () => void, ms: number): Timer
declare function clearInterval(timer: Timer | undefined): void
declare const performance: { now(): number }
