import type { ToolName } from '../core/tooling/tool-name.ts';
import { buttonBoxAdjust } from './button-box-adjust.ts';
import { chatSay } from './chat-say.ts';
import { haRunScript } from './ha-run-script.ts';
import { haSetEntity } from './ha-set-entity.ts';
import { haSetLight } from './ha-set-light.ts';
import { liftDown } from './lift-down.ts';
import { liftUp } from './lift-up.ts';
import { memoryRead } from './memory-read.ts';
import { memoryWrite } from './memory-write.ts';
import { neatoClearErrors } from './neato-clear-errors.ts';
import { neatoLocate } from './neato-locate.ts';
import { neatoSendHome } from './neato-send-home.ts';
import { neatoStart } from './neato-start.ts';
import type { Tool } from './tool.ts';

/** The closed list: what is not here cannot be called, whatever a model writes. */
export const registry: Readonly<Record<ToolName, Tool>> = {
	chat_say: chatSay,
	lift_up: liftUp,
	lift_down: liftDown,
	neato_start: neatoStart,
	neato_send_home: neatoSendHome,
	neato_locate: neatoLocate,
	neato_clear_errors: neatoClearErrors,
	ha_set_entity: haSetEntity,
	ha_set_light: haSetLight,
	ha_run_script: haRunScript,
	memory_read: memoryRead,
	memory_write: memoryWrite,
	button_box_adjust: buttonBoxAdjust,
};
