/** A minimal configuration: the demo integration, and helpers for what it lacks. */
export function realHomeConfig(port: number): string {
	return `homeassistant:
  name: Contract
  time_zone: UTC
  latitude: 0
  longitude: 0
  elevation: 0
  unit_system: metric
http:
  server_host: 127.0.0.1
  server_port: ${port}
  ip_ban_enabled: false
logger:
  default: warning
api:
websocket_api:
config:
onboarding:
demo:
input_boolean:
  fickle_plugged:
    initial: true
  fickle_on:
    initial: false
switch:
  - platform: template
    switches:
      fickle:
        value_template: "{{ is_state('input_boolean.fickle_on', 'on') }}"
        availability_template: "{{ is_state('input_boolean.fickle_plugged', 'on') }}"
        turn_on:
          service: input_boolean.turn_on
          target:
            entity_id: input_boolean.fickle_on
        turn_off:
          service: input_boolean.turn_off
          target:
            entity_id: input_boolean.fickle_on
script:
  slow:
    sequence:
      - delay: "00:01:00"
`;
}
