/** The second click of a double click, on a button that by then may mean something else. */
export const isSecondClick = (event?: Event): boolean => event instanceof MouseEvent && event.detail > 1
