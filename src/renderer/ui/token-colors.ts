/** The colors of design tokens for a canvas: `light-dark()` resolved for the current theme at `element`. */
export function tokenColors<Name extends PropertyKey>(
  element: HTMLElement,
  tokens: Readonly<Record<Name, string>>
): Record<Name, string> {
  const before = element.style.color
  const colors: Partial<Record<Name, string>> = {}
  for (const name in tokens) {
    element.style.color = `var(${tokens[name]})`
    colors[name] = getComputedStyle(element).color
  }
  element.style.color = before
  return colors as Record<Name, string>
}
