import { triggerProperties } from '../shared/form/trigger';
import { JOB_TRIGGER } from '../shared/spec/catalogs';

export { TRIGGER_HINT as BUILDER_HINT, TRIGGER_SUBTITLE as SUBTITLE } from '../shared/form/words';

export const properties = () => triggerProperties(JOB_TRIGGER);
