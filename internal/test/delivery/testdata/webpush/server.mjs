// A push service on a free port of 127.0.0.1, with the npm package web-push-testing, which
// decrypts every message and checks its VAPID token. It prints its port.
import {createServer} from 'node:http'
import {createRequire} from 'node:module'

const {PushApiModel} = createRequire(import.meta.url)('web-push-testing/src/PushApiModel.js')
const model = new PushApiModel()

const routes = {
  subscribe: async body => model.subscribe({userVisibleOnly: 'true', applicationServerKey: JSON.parse(body).key}),
  expire: async (_, id) => model.expireSubscription(id) ?? {},
  messages: async (_, id) => model.getNotifications({clientHash: id}),
  push: async (body, id, headers) => {
    await model.handleNotification(id, {encoding: headers['content-encoding'], ttl: headers.ttl, authorization: headers.authorization}, body)
    return {}
  },
}

createServer(async (request, response) => {
  const chunks = []
  for await (const chunk of request) chunks.push(chunk)
  const [, route, id] = request.url.split('/')
  try {
    const answer = await routes[route](Buffer.concat(chunks), id, request.headers)
    response.writeHead(201, {'Content-Type': 'application/json'}).end(JSON.stringify(answer))
  } catch (error) {
    response.writeHead(error.name === 'SubscriptionExpiredError' ? 410 : 400).end(String(error))
  }
}).listen(0, '127.0.0.1', function () { console.log(this.address().port) })
