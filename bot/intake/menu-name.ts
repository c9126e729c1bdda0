/** Name of the entry in the menu of a message. */
export const MENU_NAME = 'Start an intake';
