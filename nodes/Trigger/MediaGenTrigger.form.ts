import { triggerProperties } from '../shared/form/triggerProperties';
import { JOB_TRIGGER } from '../shared/spec/catalogs';

export { TRIGGER_HINT as BUILDER_HINT } from '../shared/form/builderHints';
export { TRIGGER_SUBTITLE as SUBTITLE } from '../shared/form/triggerProperties';

export const properties = () => triggerProperties(JOB_TRIGGER);
