/** The colours of design tokens as a canvas wants them: `light-dark()` resolved for the theme in force where `element` stands. */
export function tokenColors<Name extends string>(
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
